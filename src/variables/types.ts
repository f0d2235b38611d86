import { z } from "zod";

/** Types of variables. */

export const port = z.coerce.number().int().min(0).max(65_535);
export const count = z.coerce.number().int().min(0);
export const some = z.coerce.number().int().min(1);
export const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");
export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);
export const optional = z.string().optional();

export const address = (...protocols: string[]) =>
  z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ""), {
    message: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}; a password in it must be percent-encoded`,
  });
export const http = z.url({ protocol: /^https?$/, message: "must be an address that begins with https:// or http://" });
/** Links on pages and cookies belong to a whole host. The address is shown to everybody, so it has no password. */
export const origin = http.refine((address) => {
  const url = URL.parse(address);
  return url === null || url.href === `${url.origin}/`;
}, "must have only a host and, if needed, a port after https:// or http://, and no path");

export const isKey = (text: string) => Buffer.from(text, "base64").length === 32;
export const key = z.string().refine(isKey, "must be 32 bytes as base64; make one with: openssl rand -base64 32");
export const keys = (isOne: (text: string) => boolean) =>
  list.refine((values) => values.every(isOne), "must be keys of 32 bytes as base64, comma-separated");

/** The parsed values of a group of variables. */
export type Values<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;
