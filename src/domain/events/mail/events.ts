import { z } from "zod";
import { defineEvent } from "../define-event.ts";

/** It has no row in `event`. The mail has the event's id and contains all of its data. */
export const mailWritten = defineEvent("mail.written", { view: z.null(), audience: "none" });
