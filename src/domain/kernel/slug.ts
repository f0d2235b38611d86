import anyAscii from "any-ascii";
import { z } from "zod";
import { readId } from "./ids.ts";

/**
 * Names of workspaces and projects in URLs. They cannot be changed. A slug must not look like an id, because ids take
 * precedence.
 */
export const slug = z
  .string()
  .max(50)
  .regex(/^[a-z0-9](-?[a-z0-9])*$/, "Use lower-case letters, digits and single hyphens between them.")
  .refine((text) => readId(text) === null, { message: "must not look like an id", params: { code: "pattern" } });

/** Slug of a workspace: `/w/new` is the page for new ones, which one of that name would hide. */
export const workspaceSlug = slug.refine((text) => text !== "new", {
  message: "is taken",
  params: { code: "pattern" },
});

/** Text that is transliterated. Slugs are shorter, and a letter can become several. */
const READ = 200;

/** The name in Latin letters: `Команда Müller` becomes `Komanda Muller`. Emoji and other symbols have no letters. */
export const inLatin = (name: string): string =>
  anyAscii(name.slice(0, READ).toWellFormed().normalize("NFC").replace(/\p{S}/gu, " "));

/** Derives a slug from a name: `Müller & Söhne` becomes `muller-sohne`. Empty if no character can be used. */
export const slugFrom = (name: string, maxLength: number): string =>
  inLatin(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, maxLength)
    .replace(/-$/, "");
