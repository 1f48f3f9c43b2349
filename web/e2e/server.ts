// The real binary on a fixture, with an environment of its own.
import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { Fixture } from "./fixture.ts";

const BINARY = process.env["TIERBOARD_BIN"] ?? fileURLToPath(new URL("../../target/debug/tierboard", import.meta.url));

export type Server = { address: string; process: ChildProcess; stop(): Promise<void> };

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}

export async function serve(
  fixture: Fixture,
  variables: Record<string, string> = {},
  wanted?: number,
): Promise<Server> {
  const port = wanted ?? (await freePort());
  const child = spawn(BINARY, ["serve", fixture.workspace, "--port", String(port)], {
    env: { PATH: process.env["PATH"] ?? "", HOME: fixture.home, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stdout.on("data", (text: Buffer) => (log += text.toString()));
  child.stderr.on("data", (text: Buffer) => (log += text.toString()));
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${log}`);
    const ok = await fetch(address).then((answer) => answer.ok, () => false);
    if (ok) return { address, process: child, stop: () => stop(child) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill();
  throw new Error(`the server did not answer: ${log}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  await ended;
}
