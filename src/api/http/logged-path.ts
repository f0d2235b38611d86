/** Paths in the form that the request log shows. Query strings are never logged. */

/**
 * These paths contain secrets. The id of an authorization request lets its holder start that request again, with what
 * its program sent. The address of a commit hook is shown once and stored as a hash. The address of a file lets its
 * holder read or store it, and that of a form lets its holder submit it.
 */
const SECRET_BELOW = /^\/(oauth\/consent|api\/oauth\/authorize|hooks\/commits|files|f)\/.*/is;

/**
 * Words of routes, ids, keys and slugs. E-mail addresses contain other characters, encoded or not, and secrets are
 * longer.
 */
const PLAIN_SEGMENT = /^[\w.-]{0,40}$/;
const PLAIN_PATH = /^(?:\/[\w.-]{0,40})*$/;

/** Replaces every path segment that may be a secret or identify a person with `…`. */
export function loggedPath(path: string): string {
  const shown = path.replace(SECRET_BELOW, "/$1/…");
  if (PLAIN_PATH.test(shown)) return shown;
  return shown
    .split("/")
    .map((segment) => (PLAIN_SEGMENT.test(segment) ? segment : "…"))
    .join("/");
}
