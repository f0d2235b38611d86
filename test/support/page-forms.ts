import { expect } from "vitest";
import type { Browser, Page } from "./browser.ts";

/** What a person does with pages: reads them, fills in forms, presses buttons. Only what a page shows is used. */

/** The address of a link by its text. */
export function linkOn(page: Page, text: string): string {
  const links = [...page.text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)];
  const found = links.find(([, , label]) => label!.includes(text));
  expect(found, `a link "${text}" on ${page.text}`).toBeDefined();
  return plain(found![1]!);
}

/**
 * Sends the form that has all of these fields, with the values that it shows for its other ones. Unchecked boxes are left
 * out, as browsers do. Follows redirects until a page or another site comes, and returns that reply.
 */
export async function sendForm(visitor: Browser, page: Page, values: Record<string, string | string[]>): Promise<Page> {
  const forms = [...page.text.matchAll(/<form [^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
  const form = forms.find(([, , body]) => Object.keys(values).every((name) => body!.includes(`name="${name}"`)));
  expect(form, `a form with ${Object.keys(values)} on ${page.text}`).toBeDefined();
  const [, action, body] = form!;
  return arrive(visitor, await visitor.post(plain(action!), { ...shown(body!), ...values }));
}

/** Opens an address like a click on it. */
export const open = async (visitor: Browser, address: string): Promise<Page> =>
  arrive(visitor, await visitor.get(address));

/** Follows redirects until a page or a redirect to another site comes. */
async function arrive(visitor: Browser, page: Page): Promise<Page> {
  const location = page.headers.get("location");
  if (location === null || !visitor.isHome(location)) return page;
  return arrive(visitor, await visitor.follow(page));
}

function shown(form: string): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const [input] of form.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
    const name = attribute("name");
    const isOff = /^(checkbox|radio)$/.test(attribute("type") ?? "") && !/ checked/.test(input);
    if (name === undefined || isOff) continue;
    values[name] = [...(values[name] ?? []), plain(attribute("value") ?? "")];
  }
  return values;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&#x2F;", "/"],
  ["&#x3D;", "="],
  ["&#39;", "'"],
  ["&quot;", '"'],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
]);
export const plain = (text: string) =>
  text.replaceAll(/&#x2F;|&#x3D;|&#39;|&quot;|&lt;|&gt;|&amp;/g, (one) => ENTITIES.get(one)!);
