// The one polite line that tells what changed, for those who don't see it.

export function say(sentence: string): void {
  const line = document.getElementById("status");
  if (line) line.textContent = sentence;
}
