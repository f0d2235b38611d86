import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const keyResultErrors = defineErrors({
  key_result_limit_reached: conflict(
    "Key result limit reached",
    "A goal can have at most 100 key results.",
    "Delete one first, or use goals below this one.",
  ),
});
