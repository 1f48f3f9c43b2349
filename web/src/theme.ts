// The theme switch without a reload. The cookie is set by the server, as without script.

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const WORDS: Record<Theme, string> = { system: "same as system", light: "light", dark: "dark" };

export function startTheme(): void {
  const form = document.querySelector<HTMLFormElement>("form.theme");
  const button = form?.querySelector("button");
  if (!form || !button) return;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const address = new URL(form.action);
    const theme = THEMES.find((each) => each === address.searchParams.get("theme")) ?? "system";
    void fetch(address, { method: "POST", redirect: "manual" }).catch(() => undefined);
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
    address.searchParams.set("theme", next);
    form.action = address.href;
    button.setAttribute("aria-label", `Theme: ${WORDS[theme]}. Change to ${WORDS[next]}`);
  });
}
