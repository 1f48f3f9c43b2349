// Chromium, headless, and pages that complain about everything.
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

const RESULTS = fileURLToPath(new URL("../test-results/", import.meta.url));

export const WIDTHS = [1440, 390] as const;
export const THEMES = ["light", "dark"] as const;

export async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export type Look = { width?: number; theme?: "light" | "dark"; script?: boolean };

/** A page, and what it complained about. */
export async function open(browser: Browser, look: Look = {}): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1440, height: 900 },
    colorScheme: look.theme ?? "light",
    javaScriptEnabled: look.script ?? true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { page, context, complaints };
}

/** Everything that axe finds, as `impact rule: first element`. */
export async function axe(page: Page): Promise<string[]> {
  const source = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  const { readFileSync } = await import("node:fs");
  // Evaluated by the debugger, which the page's own policy does not bind.
  await page.evaluate(readFileSync(source, "utf8"));
  return page.evaluate(async () => {
    type Found = { impact: string | null; id: string; nodes: { html: string; failureSummary?: string }[] };
    const axe = (globalThis as unknown as { axe: { run(): Promise<{ violations: Found[] }> } }).axe;
    const { violations } = await axe.run();
    return violations.map((found) => `${found.impact} ${found.id}: ${found.nodes[0]?.html.slice(0, 160)} (${found.nodes.length}) ${found.nodes[0]?.failureSummary ?? ""}`);
  });
}

/** How far the page can be scrolled sideways, and what sticks out. */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const wide = [...document.body.querySelectorAll("*")].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right > root.clientWidth + 1;
    });
    return [`${root.scrollWidth} > ${root.clientWidth}`, ...wide.slice(0, 5).map((element) => `${element.tagName}.${element.getAttribute("class")}`)];
  });
}

export async function picture(page: Page, name: string, fullPage = true): Promise<void> {
  mkdirSync(RESULTS, { recursive: true });
  await page.screenshot({ path: `${RESULTS}${name}.png`, fullPage });
}
