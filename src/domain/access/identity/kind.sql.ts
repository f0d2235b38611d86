/** Kinds of users in the API: people are `user`. */
export const USER_KINDS = ["user", "agent"] as const;
export type UserKind = (typeof USER_KINDS)[number];

/** SQL: the kind of an `app_user` as the API shows it; null without one. */
export const kindOf = (user: string): string => `case ${user}.kind when 'person' then 'user' else ${user}.kind end`;
