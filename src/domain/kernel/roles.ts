/** Roles in a workspace. */
export const ROLES = ["owner", "admin", "member", "viewer", "guest"] as const;
export type Role = (typeof ROLES)[number];

/** The roles with at least the rights of this one. None for a word that is no role. */
export const rolesFrom = (role: string | null | undefined): Role[] => {
  const at = ROLES.indexOf(role as Role);
  return at < 0 ? [] : ROLES.slice(0, at + 1);
};

export const isAdmin = (role: Role | null): boolean => role === "owner" || role === "admin";
/** Editors create and manage. */
export const isEditor = (role: Role | null): boolean => isAdmin(role) || role === "member";
