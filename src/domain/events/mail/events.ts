import { z } from "zod";
import { defineEvent } from "../define-event.ts";

/** Has no row in `event`: the mail itself, which has the event's id, says all there is. */
export const mailWritten = defineEvent("mail.written", { view: z.null(), audience: "none" });
