// Builds the tests (this Node may not know TypeScript) and runs them: npm run e2e [-- NAME...]
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const wanted = process.argv.slice(2);
const specs = readdirSync(here("."))
  .filter((name) => name.endsWith(".spec.ts"))
  .filter((name) => wanted.length === 0 || wanted.some((each) => name.includes(each)));
await build({
  entryPoints: specs.map((name) => here(name)),
  // Beside the sources, so that paths and packages are found from the same place.
  outdir: here("../e2e/.built"),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  target: "node20",
  define: { "import.meta.url": JSON.stringify(new URL("./here.mjs", import.meta.url).href) },
  logLevel: "warning",
});
const files = specs.map((name) => here(`.built/${name.replace(/\.ts$/, ".mjs")}`));
const { status } = spawnSync(process.execPath, ["--test", "--test-concurrency=1", ...files], { stdio: "inherit" });
process.exit(status ?? 1);
