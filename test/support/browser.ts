import { openSession } from "../../src/domain/access/sign-in/sessions.ts";
import { systemNow } from "./acting.ts";
import type { App } from "./app.ts";

export type Page = { status: number; headers: Headers; text: string };

/** A minimal browser for pages without scripts: it keeps cookies, and does not follow redirects by itself. */
export class Browser {
  readonly #baseUrl: string;
  readonly cookies = new Map<string, string>();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  get = (path: string, headers: Record<string, string> = {}): Promise<Page> => this.#send("GET", path, headers);

  /** Submits a form like a page of the service. */
  post = (path: string, fields: Record<string, string | string[]> = {}, headers: Record<string, string> = {}) => {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
    return this.#send("POST", path, { origin: this.#baseUrl, ...headers }, form);
  };

  /** Follows a redirect within the service. */
  follow = (page: Page): Promise<Page> => {
    const location = page.headers.get("location");
    if (!location) throw new Error(`No redirect, but ${page.status}: ${page.text.slice(0, 300)}`);
    return this.get(location);
  };

  /** Whether an address belongs to the service. */
  isHome = (address: string): boolean => new URL(address, this.#baseUrl).origin === new URL(this.#baseUrl).origin;

  async #send(method: string, path: string, headers: Record<string, string>, body?: URLSearchParams): Promise<Page> {
    const url = new URL(path, this.#baseUrl);
    const response = await fetch(url, {
      method,
      redirect: "manual",
      headers: { accept: "text/html", cookie: this.#cookieHeader(), ...headers },
      ...(body ? { body } : {}),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (value === "" || /max-age=0(;|$)/i.test(line)) this.cookies.delete(name!);
    else this.cookies.set(name!, value!);
  }
}

/** A browser in which a person is signed in, or nobody. */
export async function browser(app: App, userId?: string): Promise<Browser> {
  const made = new Browser(app.baseUrl);
  if (userId === undefined) return made;
  const { cookie } = await openSession(systemNow(app), userId, { address: "127.0.0.1", userAgent: "test" });
  const secure = app.resources.settings.baseUrl.startsWith("https:");
  made.cookies.set(`${secure ? "__Host-" : ""}muster_session`, cookie);
  return made;
}
