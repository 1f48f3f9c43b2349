// Each page in both themes and both widths: nothing sticks out, nothing complains, axe is content.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { axe, launch, open, overflow, picture, THEMES, WIDTHS } from "./browser.ts";
import { makeBroken, makeFixture, makeHarbor, makeHostile, SECRET, type Fixture } from "./fixture.ts";
import { serve, type Server } from "./server.ts";

const FOCUS = "focus=services/api/src/bookings.ts";

type Case = { name: string; path: string; opens?: boolean };

const HARBOR: Case[] = [
  { name: "layers", path: `/?${FOCUS}`, opens: true },
  { name: "layers-no-focus", path: "/" },
  { name: "prompt", path: `/prompt?${FOCUS}` },
  { name: "prompt-show", path: "/prompt?view=memory-show" },
  { name: "prompt-layer", path: "/prompt?view=layer" },
  { name: "prompt-search", path: "/prompt?q=commit&hit=2" },
  { name: "prompt-why", path: "/prompt?why=release.md" },
  { name: "not-understood", path: "/prompt?view=zzz&trust=x" },
  { name: "unknown-layer", path: "/prompt?view=layer&layer=nope" },
  { name: "no-such-focus", path: "/?focus=services/api/nosuch.ts" },
  { name: "files", path: "/files" },
  { name: "api", path: "/api" },
  { name: "not-found", path: "/nowhere" },
];

describe("pages", () => {
  let browser: Browser;
  const servers: Server[] = [];
  const fixtures: Fixture[] = [];
  let harbor: Server;
  let hostile: Server;
  let untrusted: Server;
  let empty: Server;
  let broken: Server;

  before(async () => {
    browser = await launch();
    const start = async (fixture: Fixture, variables: Record<string, string>): Promise<Server> => {
      const server = await serve(fixture, variables);
      fixtures.push(fixture);
      servers.push(server);
      return server;
    };
    const trusted = { GEMINI_CLI_TRUST_WORKSPACE: "true" };
    harbor = await start(makeHarbor(), trusted);
    hostile = await start(makeHostile(), trusted);
    untrusted = await start(makeHarbor(), { GEMINI_CLI_TRUST_WORKSPACE: "false" });
    empty = await start(makeFixture("empty"), trusted);
    broken = await start(makeBroken(), trusted);
  });

  after(async () => {
    await browser?.close();
    for (const server of servers) await server.stop();
    for (const fixture of fixtures) fixture.remove();
  });

  const look = async (server: () => Server, { name, path, opens }: Case): Promise<void> => {
    for (const width of WIDTHS) {
      for (const theme of THEMES) {
        const { page, context, complaints } = await open(browser, { width, theme });
        const answer = await page.goto(server().address + path);
        assert.ok(answer);
        assert.match(answer.headers()["content-security-policy"] ?? "", /default-src 'none'/);
        if (opens) await page.locator(".band").nth(3).locator("summary").click();
        await page.waitForFunction(() => document.getElementById("live")?.dataset["state"] !== "off");
        await page.mouse.move(0, 0);
        await picture(page, `${name}-${width}-${theme}`);
        assert.deepEqual(await overflow(page), [], `${name} at ${width} sticks out`);
        assert.deepEqual(await axe(page), [], `axe on ${name} at ${width}, ${theme}`);
        // A page that isn't there is told by the browser, too.
        const odd = complaints.filter((text) => !(name === "not-found" && text.includes("404")));
        assert.deepEqual(odd, [], `console on ${name}`);
        await context.close();
      }
    }
  };

  for (const each of HARBOR) test(each.name, () => look(() => harbor, each));

  test("the page of a missing import target", async () => {
    const list = await (await fetch(`${harbor.address}/files`)).text();
    const [, path] = /href="([^"]+)"[^>]*>(?:(?!<\/a>).)*release\.md/.exec(list) ?? [];
    assert.ok(path);
    await look(() => harbor, { name: "missing-import", path });
  });

  test("one file, its rendering, and one that is not loaded", async () => {
    const { page, context } = await open(browser);
    await page.goto(`${harbor.address}/files`);
    const address = async (name: string): Promise<string> => {
      const link = page.locator(".filelist").getByRole("link", { name, exact: true });
      return new URL((await link.getAttribute("href")) ?? "", harbor.address).pathname;
    };
    const project = await address("./GEMINI.md");
    const other = await address("./services/web/GEMINI.md");
    await context.close();
    await look(() => harbor, { name: "file", path: `${project}#L9` });
    await look(() => harbor, { name: "file-rendered", path: `${project}?tab=rendered` });
    await look(() => harbor, { name: "file-not-loaded", path: other });
  });

  test("text that tries to break the page", async () => {
    await look(() => hostile, { name: "hostile-layers", path: "/" });
    await look(() => hostile, { name: "hostile-prompt", path: "/prompt" });
    await look(() => hostile, { name: "hostile-all", path: "/?all=awaits-access" });
    const { page, context } = await open(browser);
    await page.goto(`${hostile.address}/prompt`);
    assert.doesNotMatch(await page.title(), /broken/);
    assert.equal(await page.locator(".odd", { hasText: "U+202E" }).count(), 1);
    assert.equal(await page.locator("main script, main img").count(), 0);
    await context.close();
  });

  test("an untrusted folder says so, and one click shows it as if trusted", async () => {
    await look(() => untrusted, { name: "untrusted", path: "/" });
    const { page, context } = await open(browser);
    await page.goto(untrusted.address);
    await page.getByRole("link", { name: "Show as if trusted" }).click();
    assert.ok(await page.getByText("Shown as if the folder were trusted").isVisible());
    assert.ok(await page.locator(".band.t-project").first().isVisible());
    await page.getByRole("link", { name: "Show as it is" }).click();
    assert.equal(await page.locator(".band.t-project").count(), 0);
    await context.close();
  });

  test("settings that keep the agent from starting are told first", async () => {
    await look(() => broken, { name: "broken-layers", path: "/" });
    await look(() => broken, { name: "broken-prompt", path: "/prompt" });
    const { page, context } = await open(browser);
    await page.goto(broken.address);
    assert.match((await page.locator(".banner").first().textContent()) ?? "", /Gemini CLI refuses to start/);
    await page.goto(`${broken.address}/prompt`);
    assert.match((await page.locator(".held-note").textContent()) ?? "", /831 characters of Gemini CLI's own text/);
    await context.close();
  });

  test("an empty workspace lists the places", async () => {
    await look(() => empty, { name: "empty", path: "/" });
    await look(() => empty, { name: "empty-prompt", path: "/prompt" });
    await look(() => empty, { name: "empty-files", path: "/files" });
  });

  test("secret values are hidden until asked for, and never in the source of the page", async () => {
    const text = async (path: string): Promise<string> => (await fetch(harbor.address + path)).text();
    for (const path of ["/", `/prompt?${FOCUS}`, "/prompt?view=memory-show", "/prompt?q=AKIA"]) {
      assert.ok(!(await text(path)).includes(SECRET), path);
    }
    assert.ok((await text("/prompt?reveal=1")).includes(SECRET));
    assert.ok((await text("/prompt.txt")).includes(SECRET));
  });
});
