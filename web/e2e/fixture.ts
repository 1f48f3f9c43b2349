// A workspace and a home folder to look at, made in a temporary folder.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Fixture = {
  root: string;
  home: string;
  workspace: string;
  write(path: string, text: string): void;
  remove(): void;
};

/** Letters that look like a key and open nothing. */
export const SECRET = `AKIA${"ABCDEFGHIJ234567"}`;

const long = (lines: number): string =>
  Array.from({ length: lines }, (_, index) => `- Line ${index + 1} of a long list of ordinary rules.`).join("\n");

export function makeFixture(name = "harbor"): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tierboard-e2e-")));
  const home = join(root, "home");
  const workspace = join(home, "code", name);
  const write = (path: string, text: string): void => {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  };
  mkdirSync(workspace, { recursive: true });
  return { root, home, workspace, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Every tier, imports that work and that fail, files that are not loaded. */
export function makeHarbor(): Fixture {
  const fixture = makeFixture();
  const { write, workspace } = fixture;
  const memory = "home/.gemini/tmp/harbor/memory";
  write("home/.gemini/projects.json", JSON.stringify({ projects: { [workspace]: "harbor" } }));
  write(
    "home/.gemini/GEMINI.md",
    "# About me\n\n- Answer in short sentences. Show a command before you run it.\n- Prefer pnpm over npm in every project.\n- Write commit messages in the imperative mood, 72 characters at most.\n- Indent with tabs.\n- Ask before you add a dependency.\n",
  );
  write(
    `${memory}/MEMORY.md`,
    `# Harbor, my notes\n\n- My local Postgres listens on port 5433.\n- Staging key: ${SECRET}. Never print it.\n- Commit messages: imperative mood, at most 72 characters.\n- Tide import, step by step: see tide-import.md\n`,
  );
  write(`${memory}/tide-import.md`, "# Tide import\n\n1. Fetch the table.\n2. Load it.\n");
  write(`${memory}/seed-data.md`, "# Seed data\n\nBerths B01 to B40.\n");
  const extension = "home/.gemini/extensions/postgres-helper";
  write(`${extension}/gemini-extension.json`, JSON.stringify({ name: "postgres-helper", version: "1.2.0" }));
  write(`${extension}/GEMINI.md`, "# postgres-helper\n\n- Run explain_plan before you change an index.\n- Never run DROP or TRUNCATE without a written yes.\n");
  const here = `home/code/harbor`;
  write(
    `${here}/GEMINI.md`,
    "# Harbor\n\nBerth booking for small marinas. A pnpm workspace with services/api,\nservices/web and shared code in packages.\n\n## Rules\n\n- Indent with 2 spaces.\n- Commit messages use the imperative mood and stay within 72 characters.\n- Every change in services/api needs a test in the same commit.\n- Migrations are append-only. Never edit one that is on main.\n- We are currently moving invoices to the new tax table.\n\n## Testing\n\n@docs/agents/testing.md\n\n## Release\n\n@docs/agents/release.md\n",
  );
  write(
    `${here}/docs/agents/testing.md`,
    "- Unit tests: pnpm test. Browser suite: pnpm test:e2e.\n- The API tests need Postgres on port 5432.\n- Change snapshots only together with a line in CHANGELOG.md.\n\n@fixtures.md\n",
  );
  write(`${here}/docs/agents/fixtures.md`, "Fixtures live in tests/fixtures.\n");
  write(
    `${here}/services/api/GEMINI.md`,
    "# API service\n\n- Every 4xx and 5xx answer is Problem JSON.\n- Money is an integer in cents. Never use floats.\n- Validate input with zod at the edge, not in the domain.\n- Every change here needs a test in the same commit.\n",
  );
  write(`${here}/services/api/src/bookings.ts`, "export const berth = 7;\n");
  write(`${here}/services/web/GEMINI.md`, "# Web\n\n<script>alert('no')</script>\n\n- Use signals.\n");
  write(`${here}/CLAUDE.md`, "# Claude\n\nAnother agent's file with [a link](javascript:alert(1)).\n");
  write(`${here}/docs/gemini.md`, "Lower case.\n");
  write("home/code/GEMINI.md", "Above the repository.\n");
  execFileSync("git", ["init", "-q", "-b", "main", workspace]);
  execFileSync("git", ["-C", workspace, "add", "GEMINI.md", "docs", "services"]);
  execFileSync("git", ["-C", workspace, "-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "Start"]);
  return fixture;
}

/** Global memory alone, and settings that keep the agent from starting. */
export function makeBroken(): Fixture {
  const fixture = makeFixture("broken");
  fixture.write("home/.gemini/GEMINI.md", "# Me\n\n- Be brief.\n");
  fixture.write("home/code/broken/.gemini/settings.json", "{ not json");
  for (let index = 0; index < 7; index += 1) {
    fixture.write(`home/.gemini/extensions/bad-${index}/gemini-extension.json`, "{");
  }
  return fixture;
}

/** Text that tries to break a page: markup, odd characters, endless words, many files. */
export function makeHostile(): Fixture {
  const fixture = makeFixture("wide-and-hostile-workspace-name");
  const { write, workspace } = fixture;
  const here = "home/code/wide-and-hostile-workspace-name";
  const word = "unbreakable".repeat(60);
  write(
    `${here}/GEMINI.md`,
    `# <script>document.title = "broken"</script>\r\n\r\nTurned \u202Earound\u202C and hidden \u{E0041}\u{E0042} tags, zero\u200Bwidth, bell \u0007.\r\n<img src=x onerror="document.title='broken'">\r\n${word}\n\ttabbed\n\n\n| a | b |\n|:-:|--:|\n| 1 | ${"cell ".repeat(40)} |\n\n${long(400)}\n`,
  );
  for (let index = 0; index < 120; index += 1) {
    write(`${here}/packages/package-with-a-rather-long-name-${index}/src/nested/folder/GEMINI.md`, `Rule ${index}.\n`);
  }
  symlinkSync("nowhere", join(workspace, "packages", "gone.md"));
  write(`${here}/.gemini/settings.json`, JSON.stringify({ context: { fileName: ["GEMINI.md", "AGENTS.md"] } }));
  mkdirSync(join(workspace, ".git"));
  return fixture;
}
