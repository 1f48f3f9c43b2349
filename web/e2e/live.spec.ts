// A change on disk reaches the open page without a reload, and what a person did to the page stays.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, open, picture } from "./browser.ts";
import { makeHarbor, type Fixture } from "./fixture.ts";
import { serve, type Server } from "./server.ts";

const PROJECT = "home/code/harbor/GEMINI.md";

describe("live", () => {
  let browser: Browser;
  let fixture: Fixture;
  let server: Server;

  before(async () => {
    browser = await launch();
    fixture = makeHarbor();
    server = await serve(fixture, { GEMINI_CLI_TRUST_WORKSPACE: "true" });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
    fixture?.remove();
  });

  const live = async (page: Page, path: string): Promise<void> => {
    await page.goto(server.address + path);
    await page.waitForFunction(() => document.getElementById("live")?.dataset["state"] === "live");
    // Gone after a reload, so that a reload would be noticed.
    await page.evaluate(() => document.documentElement.setAttribute("data-same-page", "yes"));
  };
  const isSamePage = (page: Page): Promise<boolean> =>
    page.evaluate(() => document.documentElement.getAttribute("data-same-page") === "yes");

  test("layers: text, counts and status change; scroll, focus and open bands stay", async () => {
    const { page, context, complaints } = await open(browser, { width: 1440 });
    await page.setViewportSize({ width: 1440, height: 500 });
    await live(page, "/");
    const band = page.locator(".band.t-global");
    await band.locator("summary").click();
    await band.locator("summary").focus();
    await page.evaluate(() => scrollTo(0, 150));
    const before = await page.locator("#counts b").textContent();
    fixture.write(PROJECT, `# Harbor\n\n${"- A new rule for the harbor.\n".repeat(40)}`);
    await page.waitForFunction((old) => document.querySelector("#counts b")?.textContent !== old, before);
    await page.waitForFunction(() => document.getElementById("status")?.textContent?.includes("changed"));
    assert.ok(await isSamePage(page));
    assert.equal(await page.evaluate(() => scrollY), 150);
    assert.ok(await band.evaluate((element) => (element as HTMLDetailsElement).open));
    assert.ok(await band.locator("summary").evaluate((element) => element === document.activeElement));
    assert.match((await page.locator("#status").textContent()) ?? "", /changed\. [\d,]+ tokens at start\./);
    await picture(page, "live-layers", false);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("the status counts the files that changed, whatever this page or another looks at", async () => {
    const { page, context } = await open(browser);
    const focus = "/?focus=services/api/src/bookings.ts";
    for (const path of [focus, "/?focus=services/web", "/?focus=/etc/passwd", "/?trust=assume", "/?focus=docs"]) {
      assert.ok((await fetch(server.address + path)).ok);
    }
    for (const path of [focus, "/", "/prompt"]) {
      await live(page, path);
      const words = `Changed while ${path} was open`;
      fixture.write(PROJECT, `# Harbor\n\n- ${words}.\n`);
      await page.waitForFunction(() => /changed\./.test(document.getElementById("status")?.textContent ?? ""));
      assert.match((await page.locator("#status").textContent()) ?? "", /^1 file changed\. /, path);
    }
    await context.close();
  });

  test("a workspace that goes away leaves no old numbers, and its return brings them back", async () => {
    const { page, context } = await open(browser);
    await live(page, "/");
    const { renameSync } = await import("node:fs");
    const away = `${fixture.workspace}.away`;
    renameSync(fixture.workspace, away);
    await page.getByRole("heading", { name: "The workspace can't be read now" }).waitFor();
    await page.waitForFunction(() => document.getElementById("status")?.textContent === "The workspace can't be read now.");
    assert.ok(await page.locator("#counts").isHidden());
    assert.ok(await page.locator("#agents").isHidden());
    assert.equal((await page.locator("#live").textContent())?.trim(), "Live");
    await picture(page, "workspace-gone", false);
    renameSync(away, fixture.workspace);
    await page.getByRole("heading", { level: 1, name: "Layers" }).waitFor();
    assert.match((await page.locator("#counts").textContent()) ?? "", /\d tokens at start/);
    assert.match((await page.locator("#agents").textContent()) ?? "", /layers/);
    await page.waitForFunction(() => /Live, \d+ files/.test(document.getElementById("live")?.textContent ?? ""));
    assert.ok(await isSamePage(page));
    await context.close();
  });

  test("prompt: rows change in place; a half-typed search and the place stay", async () => {
    const { page, context, complaints } = await open(browser);
    fixture.write(PROJECT, `# Harbor\n\n${"- A rule.\n".repeat(120)}- Last rule.\n`);
    await live(page, "/prompt");
    await page.locator("#q").fill("half-typed");
    const row = page.locator(".ln-row", { hasText: "Last rule." }).locator("a.src");
    await row.scrollIntoViewIfNeeded();
    await row.focus();
    const scroll = await page.evaluate(() => scrollY);
    assert.ok(scroll > 500);
    fixture.write(PROJECT, `# Harbor\n\n${"- A rule.\n".repeat(120)}- Last rule, mended.\n`);
    await page.locator(".ln-row", { hasText: "Last rule, mended." }).waitFor();
    assert.ok(await isSamePage(page));
    assert.equal(await page.locator("#q").inputValue(), "half-typed");
    assert.ok(Math.abs((await page.evaluate(() => scrollY)) - scroll) <= 1);
    assert.match(await page.evaluate(() => document.activeElement?.className ?? ""), /src/);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("a file that goes away is told, and comes back", async () => {
    const { page, context } = await open(browser);
    await live(page, "/files");
    await page.locator(".filelist").getByRole("link", { name: "./GEMINI.md", exact: true }).click();
    await page.waitForFunction(() => document.getElementById("live")?.dataset["state"] === "live");
    const { renameSync } = await import("node:fs");
    const path = `${fixture.root}/${PROJECT}`;
    renameSync(path, `${path}.away`);
    await page.getByRole("heading", { name: "No such source" }).waitFor();
    renameSync(`${path}.away`, path);
    await page.getByRole("heading", { level: 1, name: "GEMINI.md" }).waitFor();
    await context.close();
  });

  test("two tabs share one stream, and the second goes on when the first is closed", async () => {
    const context = await browser.newContext();
    const streams: string[] = [];
    context.on("request", (request) => {
      if (request.url().includes("/api/v1/events")) streams.push(request.url());
    });
    const [first, second] = [await context.newPage(), await context.newPage()];
    await live(first, "/");
    await live(second, "/");
    assert.equal(streams.length, 1);
    fixture.write(PROJECT, "# Both tabs see this\n");
    for (const page of [first, second]) await page.locator(".facts", { hasText: "Both tabs see this" }).waitFor({ state: "attached" });
    await first.close();
    await second.waitForFunction(() => document.getElementById("live")?.dataset["state"] === "live");
    fixture.write(PROJECT, "# The second tab goes on\n");
    await second.locator(".facts", { hasText: "The second tab goes on" }).waitFor({ state: "attached" });
    await context.close();
  });

  test("the time from a write to the changed page", async () => {
    const { page, context } = await open(browser);
    await live(page, "/");
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const words = `Round ${round} of the harbor`;
      const seen = page.evaluate(
        (wanted) =>
          new Promise<number>((resolve) => {
            const look = (): void => {
              if (document.getElementById("main")?.textContent?.includes(wanted)) {
                watcher.disconnect();
                resolve(Date.now());
              }
            };
            const watcher = new MutationObserver(look);
            watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
            look();
          }),
        words,
      );
      // The observer is in place before the write.
      await page.evaluate(() => undefined);
      const start = Date.now();
      fixture.write(PROJECT, `# Harbor\n\n- ${words}.\n`);
      times.push((await seen) - start);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    console.log(`write to changed page: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${times.at(-1)} ms, ${times.length} writes`);
    assert.ok(await isSamePage(page));
    await context.close();
  });

  test("a server that is gone is told in words, and its return is noticed", async () => {
    const { page, context } = await open(browser);
    await live(page, "/");
    const port = Number(new URL(server.address).port);
    await server.stop();
    await page.waitForFunction(() => document.getElementById("live")?.dataset["state"] === "lost");
    assert.match((await page.locator("#live").textContent()) ?? "", /Not connected/);
    await picture(page, "not-connected", false);
    fixture.write(PROJECT, "# While nobody looked\n");
    server = await serve(fixture, { GEMINI_CLI_TRUST_WORKSPACE: "true" }, port);
    await page.locator(".facts", { hasText: "While nobody looked" }).waitFor({ state: "attached" });
    assert.ok(await isSamePage(page));
    await context.close();
  });
});
