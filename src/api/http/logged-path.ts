/** Paths as the request log shows them. Queries are never logged. */

/**
 * Whoever knows the id of an authorization request can begin it anew, with what its program sent. The address of a
 * commit hook is shown once, and kept as a hash; whoever knows that of a file can read or store it, and that of a form
 * can answer it.
 */
const SECRET_BELOW = /^\/(oauth\/consent|api\/oauth\/authorize|hooks\/commits|files|f)\/.*/is;

/** Words of routes, ids, keys and slugs. E-mail addresses have other characters, encoded or not, and secrets are longer. */
const PLAIN_SEGMENT = /^[\w.-]{0,40}$/;

/** A path in which every segment that may be a secret, or name a person, is replaced by `…`. */
export const loggedPath = (path: string): string =>
  path
    .replace(SECRET_BELOW, "/$1/…")
    .split("/")
    .map((segment) => (PLAIN_SEGMENT.test(segment) ? segment : "…"))
    .join("/");
