import { hash } from "node:crypto";
import { refuse } from "../../domain/kernel/errors.ts";
import { parseExact } from "../../domain/kernel/exact-json.ts";
import type { LongReply, Reply } from "./call.ts";
import type { Operation } from "./operation.ts";

/**
 * Entity tags (RFC 9110 §8.8.3), e.g. `"6fLo2k9XzQ1.mN3_pQ7vWxY"`. The first part changes with every change of the
 * object. The second part changes with everything that the reply shows, including counts. `If-Match` compares the
 * first part: a new comment on an issue does not prevent a change of its title. `If-None-Match` compares both parts:
 * no client keeps an outdated reply.
 */

/** Characters of each part: 66 bits. */
const LENGTH = 11;

const shortHash = (text: string | Buffer): string => hash("sha1", text, "base64url").slice(0, LENGTH);

/** The tag of an object. @param body the reply that shows the object, without warnings */
export function etagOf(object: object, body: string | Buffer): string {
  const revision = revisionOf(object as Record<string, unknown>);
  return revision === null ? `"${shortHash(body)}"` : `"${shortHash(revision)}.${shortHash(body)}"`;
}

/** A tag for `If-Match` that needs the object only, e.g. for the form of a page. Null if nothing tells its changes apart. */
export function revisionTag(object: object): string | null {
  const revision = revisionOf(object as Record<string, unknown>);
  return revision === null ? null : `"${shortHash(revision)}"`;
}

/**
 * A value that changes with every change of the object. Null if the object has none. It needs both: some changes of a
 * workflow keep the version of its graph, and the `version` of a release is a free text.
 */
function revisionOf({ id, version, updated_at, created_at }: Record<string, unknown>): string | null {
  const time = updated_at ?? created_at ?? null;
  const number = typeof version === "number" ? version : null;
  return time === null && number === null ? null : `${id} ${number} ${time}`;
}

/** Whether the operation's reply shows one object and so has a tag. */
export const hasEtag = ({ shape, method, returns, streams }: Operation): boolean =>
  shape === "one" && !streams && method !== "DELETE" && "shape" in returns;

/** Whether a call may send `If-Match`. */
export const takesIfMatch = ({ method, mode }: Pick<Operation, "method" | "mode">): boolean =>
  mode !== "own" && (method === "PATCH" || method === "PUT" || method === "DELETE");

/**
 * Whether `If-None-Match` contains the tag. Weak tags match too, because proxies that compress a reply weaken its tag
 * (§13.1.2).
 */
const isUnchanged = (header: string, etag: string): boolean =>
  header.trim() === "*" || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);

/**
 * Rejects a change if the object has changed since the client read it. Weak tags never match (§13.1.1).
 * @param header `If-Match` as sent; `*` matches any object
 * @param version the object's own version, for the refusal
 * @throws Refusal precondition_failed with the current tag and version
 */
export function checkMatch(header: string, etag: string, version: unknown): void {
  if (header.trim() === "*") return;
  const current = revisionIn(etag);
  if (tagsOf(header).some((tag) => !tag.startsWith("W/") && revisionIn(tag) === current)) return;
  const current_version = typeof version === "number" ? { version } : {};
  refuse("precondition_failed", { headers: { ETag: etag }, etag, ...current_version });
}

/** @throws Refusal invalid_parameter if `If-Match` is neither `*` nor a list of entity tags */
export function checkIsMatch(header: string): void {
  if (header.trim() === "*" || TAGS.test(header)) return;
  const message = 'If-Match must be * or the ETag of a reply, with its quotes: If-Match: "6fLo2k9XzQ1.mN3_pQ7vWxY".';
  refuse("invalid_parameter", { message, parameter: "If-Match" });
}

/** Entity tags in quotes, separated by commas (RFC 9110 §8.8.3). */
const TAGS = /^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/;

const revisionIn = (etag: string): string => etag.replaceAll('"', "").split(".", 1)[0]!;

/** A client that has read many states of an object may send this many tags. */
const MAX_TAGS = 20;

const tagsOf = (header: string): string[] => header.split(",", MAX_TAGS).map((tag) => tag.trim());

/**
 * The reply of a GET, or 304 if the client has it already (RFC 9110 §13.1.2).
 * @param header `If-None-Match` as sent
 */
export function unlessUnchanged<R extends LongReply>(reply: R, header: string): R | Reply {
  const etag = reply.headers?.ETag;
  if (!etag || header === "" || !isUnchanged(header, etag)) return reply;
  return { status: 304, body: "", headers: { ETag: etag } };
}

/** Adds the entity tag to a reply that was stored with its Idempotency-Key. */
export function withEtag(operation: Operation, reply: Reply): Reply {
  if (!hasEtag(operation) || reply.status >= 300) return reply;
  const { data } = parseExact(reply.body) as { data: object };
  return { ...reply, headers: { ...reply.headers, ETag: etagOf(data, JSON.stringify({ data })) } };
}
