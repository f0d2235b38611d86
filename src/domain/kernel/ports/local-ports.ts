import type { Ports } from "./ports.ts";

/**
 * The ports that wait for something other than Postgres. Signing URLs of files is allowed, because it sends no request.
 */
const WAITING = [
  "publish",
  "rateLimiter",
  "sendOutbound",
  "fetchDocument",
  "documentRenderer",
  "cards",
  "mailer",
  "fileChecksum",
] as const;
const SIGNING = ["signUpload", "signDownload"];

const known = new WeakMap<Ports, Ports>();

/**
 * Returns the ports that a transaction may use. They wait for nothing, because the transaction's locks would be kept
 * during the wait. Operations call other services in `prepare` or after the commit.
 */
export function localPorts(ports: Ports): Ports {
  let local = known.get(ports);
  if (!local) {
    const closed = Object.fromEntries(WAITING.map((name) => [name, closedPort(name)])) as unknown as Ports;
    local = { ...ports, ...closed, files: signingOnly(ports.files) };
    known.set(ports, local);
  }
  return local;
}

const refuse = (name: string) => (): never => {
  throw new Error(`A transaction waits for nothing but Postgres: ask ${name} before it begins or after its commit.`);
};

const closedPort = (name: string) => new Proxy(refuse(name), { get: () => refuse(name) });

const signingOnly = (files: Ports["files"]): Ports["files"] =>
  new Proxy(files, {
    get: (store, name: keyof Ports["files"]) =>
      SIGNING.includes(name) ? (store[name] as CallableFunction).bind(store) : refuse(`files.${String(name)}`),
  });
