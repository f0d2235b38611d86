/**
 * The end of the address of a comment or message: its place on the page of what it belongs to. A page shows some of them
 * at a time, and the query says which one has to be among these. Empty for null.
 */
export const placeOf = (kind: "comment" | "message", id: string | null): string =>
  id === null ? "" : `?at=${id}#${kind}-${id}`;
