import { z } from "zod";
import { defineEvent } from "../events/define.ts";

/** Has no row in `event`: the mail itself, which has the event's id, says all there is. */
export const mailWritten = defineEvent("mail.written", { view: z.null(), audience: "none" });
