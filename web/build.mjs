// Builds static/app.js and static/app.css. With --check: says whether the committed files are what
// the sources give.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const common = { bundle: true, minify: true, write: false, legalComments: "none", target: "es2022", logLevel: "warning" };
const outputs = [
  { file: here("../static/app.js"), options: { entryPoints: [here("src/main.ts")], format: "iife" } },
  // Colours stand in `light-dark()`: no target, so that it is left as it is.
  { file: here("../static/app.css"), options: { entryPoints: [here("styles/main.css")], target: "esnext" } },
];

let stale = false;
for (const { file, options } of outputs) {
  const { outputFiles } = await build({ ...common, ...options });
  const made = outputFiles[0].text;
  if (process.argv.includes("--check")) {
    const committed = await readFile(file, "utf8").catch(() => "");
    if (committed !== made) {
      stale = true;
      console.error(`${file} is not what the sources give. Run: npm run build`);
    }
  } else {
    await writeFile(file, made);
    console.log(`${file}: ${made.length} bytes`);
  }
}
process.exit(stale ? 1 : 0);
