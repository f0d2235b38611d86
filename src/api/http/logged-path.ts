/** Paths as the request log shows them. */

/** Whoever knows the id of an authorization request can begin it anew; whoever knows a form's address can answer it. */
const SECRET_BELOW = /^\/(oauth\/consent|api\/oauth\/authorize|f)\/.*/is;

/** A path without the secret that a part of it may be. Queries are never logged. */
export const loggedPath = (path: string): string => path.replace(SECRET_BELOW, "/$1/…");
