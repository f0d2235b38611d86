/** Paths as the request log shows them. */

/**
 * Whoever knows the id of an authorization request can begin it anew, with what its program sent. The address of a
 * commit hook is shown once, and kept as a hash; whoever knows that of a file can read or store it, and that of a form
 * can answer it.
 */
const SECRET_BELOW = /^\/(oauth\/consent|api\/oauth\/authorize|hooks\/commits|files|f)\/.*/is;

/** A path without the secret that a part of it may be. Queries are never logged. */
export const loggedPath = (path: string): string => path.replace(SECRET_BELOW, "/$1/…");
