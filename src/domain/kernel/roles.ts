/** Roles in a workspace. */
export const ROLES = ["owner", "admin", "member", "viewer", "guest"] as const;
export type Role = (typeof ROLES)[number];

export const isAdmin = (role: Role | null): boolean => role === "owner" || role === "admin";
/** Editors create and manage. */
export const isEditor = (role: Role | null): boolean => isAdmin(role) || role === "member";
