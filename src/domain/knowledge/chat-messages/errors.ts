import { conflict, defineErrors } from "../../kernel/define-errors.ts";

export const messageErrors = defineErrors({
  reaction_limit_reached: conflict(
    "Reaction limit reached",
    "A message can have at most 50 different reactions.",
    "Use one that it has already.",
  ),
  stream_closed: conflict("Stream closed", "The message is complete.", "Open a new one, or change it with PATCH."),
  stream_gap: conflict("Stream gap", "Parts are missing.", "Send the part with the number in expected_seq."),
});
