// The dashboard by keyboard alone, without script, and its small tools.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, open, picture } from "./browser.ts";
import { makeHarbor, SECRET, type Fixture } from "./fixture.ts";
import { serve, type Server } from "./server.ts";

const FOCUS = "services/api/src/bookings.ts";

describe("use", () => {
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

  const ready = async (page: Page): Promise<void> => {
    await page.waitForFunction(() => document.documentElement.classList.contains("js"));
  };
  const keys = async (page: Page, ...names: string[]): Promise<void> => {
    for (const name of names) await page.keyboard.press(name);
  };

  test("from layers to a line of a file by keyboard alone", async () => {
    const { page, context, complaints } = await open(browser);
    await page.goto(server.address);
    await ready(page);
    // The first stop of Tab is the way past the header.
    await keys(page, "Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await keys(page, "Enter", "j", "j");
    const band = page.locator(".band").nth(1);
    assert.ok(await band.locator("summary").evaluate((element) => element === document.activeElement));
    await keys(page, "Enter");
    assert.ok(await band.evaluate((element) => (element as HTMLDetailsElement).open));
    await keys(page, "p");
    await page.keyboard.type(FOCUS);
    await keys(page, "Enter");
    await page.waitForURL(/focus=/);
    await ready(page);
    await page.locator(".band.later").waitFor();
    await keys(page, "g", "p");
    await page.waitForURL(/\/prompt\?focus=/);
    await ready(page);
    await keys(page, "/");
    await page.keyboard.type("tax table");
    await keys(page, "Enter");
    await page.waitForURL(/q=tax/);
    await ready(page);
    assert.equal((await page.locator("#hits").textContent())?.trim(), "1 of 1");
    assert.ok(await page.locator("mark.now").isVisible());
    await keys(page, "Escape", "j");
    const href = await page.evaluate(() => (document.activeElement as HTMLAnchorElement | null)?.getAttribute("href"));
    assert.match(href ?? "", /^\/files\/[0-9a-f]+\?focus=.*#L\d+$/);
    await keys(page, "Enter");
    await page.waitForURL(/\/files\/.*#L/);
    await ready(page);
    await keys(page, "g", "s");
    await page.waitForURL(/\/files\?/);
    await ready(page);
    await keys(page, "?");
    assert.ok(await page.locator("#keyhelp").isVisible());
    await picture(page, "keys", false);
    await keys(page, "Escape");
    assert.ok(await page.locator("#keyhelp").isHidden());
    await keys(page, "g", "l");
    await page.waitForURL((url) => url.pathname === "/");
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("single keys rest while typing, and can be switched off", async () => {
    const { page, context } = await open(browser);
    await page.goto(server.address);
    await ready(page);
    await page.locator("#focus").focus();
    await page.keyboard.type("gp?");
    assert.equal(await page.locator("#focus").inputValue(), "gp?");
    assert.equal(new URL(page.url()).pathname, "/");
    await keys(page, "Escape", "?");
    await page.getByRole("button", { name: "Switch single keys off" }).click();
    await page.waitForFunction(() => document.body.dataset["keys"] === "off");
    await ready(page);
    await keys(page, "?", "g", "p");
    assert.ok(await page.locator("#keyhelp").isHidden());
    assert.equal(new URL(page.url()).pathname, "/");
    await context.close();
  });

  test("the import chain shows when its line has the focus", async () => {
    const { page, context } = await open(browser);
    await page.goto(`${server.address}/prompt`);
    const row = page.locator(".ln-row", { hasText: "Fixtures live in tests/fixtures." });
    assert.ok(await row.locator(".tip").isHidden());
    await page.keyboard.press("Tab");
    await row.locator("a.src").focus();
    assert.ok(await row.locator(".tip").isVisible());
    assert.deepEqual(await row.locator(".chain li").allTextContents(), ["./GEMINI.md:16", "./docs/agents/testing.md:5", "./docs/agents/fixtures.md:1"]);
    await picture(page, "import-chain", false);
    await context.close();
  });

  test("without script: every page, the focus, the theme, search, why, reveal", async () => {
    const { page, context } = await open(browser, { script: false });
    await page.goto(server.address);
    await page.locator(".band.t-project summary").click();
    assert.ok(await page.locator(".band.t-project .facts").isVisible());
    await page.locator("#focus").fill(FOCUS);
    await page.locator("#focus").press("Enter");
    assert.equal(await page.locator(".band.later").count(), 1);
    await page.getByRole("button", { name: /^Theme: same as system/ }).click();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
    assert.match(page.url(), /focus=/);
    await page.getByRole("button", { name: /^Theme: light/ }).click();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    await page.getByRole("link", { name: "Prompt", exact: true }).click();
    assert.equal(await page.getByRole("button", { name: "Copy" }).count(), 1, "only the one that is off and says why");
    await page.getByRole("link", { name: "Show them" }).click();
    assert.ok(await page.getByText(SECRET).isVisible());
    await page.getByRole("link", { name: "Hide them" }).click();
    assert.equal(await page.getByText(SECRET).count(), 0);
    await page.locator("#q").fill("commit");
    await page.getByRole("button", { name: "Search" }).click();
    const total = Number(/of (\d+)/.exec((await page.locator("#hits").textContent()) ?? "")?.[1]);
    assert.ok(total > 1);
    assert.equal(await page.locator("mark.hit").count(), total);
    await page.getByRole("link", { name: "Next hit" }).click();
    assert.match((await page.locator("#hits").textContent()) ?? "", /^2 of/);
    await page.locator("#whyq").fill("release.md");
    await page.getByRole("button", { name: "Ask" }).click();
    assert.match((await page.locator("#why").textContent()) ?? "", /there is no such file/);
    await page.getByRole("link", { name: "One layer" }).click();
    assert.equal(await page.locator(".sheet").count(), 1);
    await page.getByRole("link", { name: "Files", exact: true }).click();
    await page.locator(".filelist").getByRole("link", { name: "./GEMINI.md", exact: true }).click();
    await page.getByRole("link", { name: "Rendered" }).click();
    assert.ok(await page.locator(".md h4", { hasText: "Rules" }).isVisible());
    await page.getByRole("link", { name: "API", exact: true }).click();
    assert.ok(await page.locator(".endpoint").count() >= 8);
    await context.close();
  });

  test("copying and downloading give the exact text", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${server.address}/prompt?view=layer&reveal=1`);
    await ready(page);
    const exact = await (await fetch(`${server.address}${await page.locator("a[download]").getAttribute("href")}`)).text();
    assert.match(exact, /^--- Context from: .*GEMINI\.md ---\n# About me\n/);
    await page.locator(".tools .btn", { hasText: "Copy" }).click();
    await page.locator(".tools .btn", { hasText: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), exact);
    await context.close();
  });

  test("the path you work on is completed", async () => {
    const { page, context } = await open(browser);
    await page.goto(server.address);
    await ready(page);
    await page.locator("#focus").pressSequentially("services/a");
    await page.waitForFunction(() => document.querySelector("#paths option")?.getAttribute("value")?.startsWith("services/api"));
    await context.close();
  });

  test("the theme changes without a reload and is kept", async () => {
    const { page, context } = await open(browser);
    await page.goto(`${server.address}/prompt`);
    await ready(page);
    await page.locator("#theme-switch").click();
    await page.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
    await page.waitForTimeout(300);
    await page.reload();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
    await context.close();
  });

  test("a file that waits for an access is one click away", async () => {
    const { page, context } = await open(browser);
    await page.goto(server.address);
    const file = page.locator(".why li", { hasText: "./services/api/GEMINI.md" });
    await file.getByRole("link", { name: "Work there" }).click();
    await page.locator(".band.later", { hasText: "services/api/GEMINI.md" }).waitFor();
    assert.equal(await page.locator("#focus").inputValue(), "services/api");
    await page.getByRole("link", { name: "Work on no path" }).click();
    assert.equal(await page.locator(".band.later").count(), 0);
    await context.close();
  });

  test("the outline marks the entry that was clicked, and then the place that is read", async () => {
    const marked = async (page: Page): Promise<string | null> => {
      await page.waitForTimeout(150);
      return page.locator(".outline [aria-current]").evaluate((link) => (link as HTMLAnchorElement).hash);
    };
    for (const [path, height] of [["/prompt", 400], ["/prompt", 4000], ["/api", 700]] as const) {
      const { page, context } = await open(browser);
      await page.setViewportSize({ width: 1440, height });
      await page.goto(server.address + path);
      await ready(page);
      const links = page.locator(".outline a[href*='#']:not([href*='#shape-'])");
      const count = await links.count();
      assert.ok(count > 4);
      for (let index = count - 1; index >= 0; index -= 1) {
        const link = links.nth(index);
        await link.click();
        assert.equal(await marked(page), await link.evaluate((each) => (each as HTMLAnchorElement).hash), `${path} at ${height}`);
      }
      if (height === 400) {
        await links.nth(count - 1).click();
        await page.waitForTimeout(100);
        await page.mouse.wheel(0, -10_000);
        assert.equal(await marked(page), await links.first().evaluate((each) => (each as HTMLAnchorElement).hash));
      }
      await context.close();
    }
  });

  test("a place that can't come to the top is marked when its address is opened", async () => {
    const { page, context } = await open(browser);
    await page.setViewportSize({ width: 1440, height: 4000 });
    await page.goto(`${server.address}/prompt`);
    const hash = await page.locator(".outline a[href*='#']").last().evaluate((each) => (each as HTMLAnchorElement).hash);
    await page.goto("about:blank");
    await page.goto(`${server.address}/prompt${hash}`);
    await ready(page);
    await page.waitForFunction(
      (wanted) => document.querySelector<HTMLAnchorElement>(".outline [aria-current]")?.hash === wanted,
      hash,
    );
    await context.close();
  });

  test("numbers and lines of an open band stand on one line, blank lines too", async () => {
    for (const width of [1440, 390]) {
      const { page, context } = await open(browser, { width });
      await page.goto(server.address);
      const band = page.locator(".band.t-project").first();
      await band.locator("summary").click();
      const off = await band.evaluate((element) => {
        // A word at the same place in each box shows where its letters stand.
        const bottom = (box: Element): number => {
          const range = document.createRange();
          const probe = box.insertBefore(document.createTextNode("x"), box.firstChild);
          range.selectNode(probe);
          const { bottom } = range.getBoundingClientRect();
          probe.remove();
          return bottom;
        };
        const rows = [...element.querySelectorAll(".facts li:has(a.ln)")].map((row) => [row.firstElementChild, row.lastElementChild]);
        return rows.map(([number, text]) => (number && text ? Math.abs(bottom(number) - bottom(text)) : 99));
      });
      assert.ok(off.length > 4 && off.every((each) => each < 1), `${width}: ${off.join(" ")}`);
      await context.close();
    }
  });

  test("on a phone the copy button of a message stays at the right", async () => {
    const { page, context } = await open(browser, { width: 390 });
    await page.goto(`${server.address}/prompt?reveal=1`);
    await ready(page);
    const header = page.locator("#first-user-message > header");
    const [box, button, tokens] = await Promise.all(
      [header, header.getByRole("button"), header.locator(".end > .num")].map((each) => each.boundingBox()),
    );
    assert.ok(box && button && tokens);
    assert.ok(button.x + button.width > box.x + box.width - 24, "at the right edge");
    assert.ok(Math.abs(button.y + button.height / 2 - tokens.y - tokens.height / 2) < 4, "beside the tokens");
    await context.close();
  });

  test("a link to a line of the prompt marks it", async () => {
    const { page, context } = await open(browser);
    await page.goto(`${server.address}/prompt`);
    const id = await page.locator(".ln-row", { hasText: "Indent with 2 spaces." }).getAttribute("id");
    await page.goto(`${server.address}/prompt#${id}`);
    assert.equal(await page.locator(".ln-row:target").count(), 1);
    assert.ok(await page.locator(".ln-row:target").isVisible());
    await context.close();
  });

  test("an address of a band opens it", async () => {
    const { page, context } = await open(browser);
    await page.goto(server.address);
    const id = await page.locator(".band.t-private").first().getAttribute("id");
    await page.goto("about:blank");
    await page.goto(`${server.address}/#${id}`);
    await ready(page);
    assert.ok(await page.locator(`[id="${id}"]`).evaluate((element) => (element as HTMLDetailsElement).open));
    await context.close();
  });
});
