declare module "idiomorph/dist/idiomorph-ext.esm.js" {
  type Callbacks = {
    beforeNodeMorphed?: (from: Node, to: Node) => boolean | void;
    beforeAttributeUpdated?: (name: string, element: Element, kind: "update" | "remove") => boolean | void;
  };
  export const Idiomorph: { defaults: { callbacks: Callbacks; ignoreActiveValue: boolean } };
}
