/** Descriptions of conditions, for the API description. */

export const aboutGroup = {
  match: ["Whether all rules must apply, or any of them."],
  rules: [
    "Rules, or further groups of rules. An empty list always applies.",
    [{ field: "priority", op: "is_one_of", value: ["high", "critical"] }],
  ],
} as const;

export const aboutRule = {
  field: [
    "A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id.",
    "priority",
  ],
  op: ["How the field is compared. `changed` applies if the event changed the field."],
  value: [
    "What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`.",
    ["high", "critical"],
  ],
} as const;
