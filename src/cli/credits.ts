import { z } from "zod";
import { counted } from "../domain/kernel/counted.ts";
import { adjustCredits, CreditAdjustInput } from "../domain/tenancy/credits/ledger.ts";
import { command, Failure, wholeNumber } from "./command.ts";
import { workspaceId } from "./find.ts";

const { amount, reason } = CreditAdjustInput.shape;

export const creditCommands = [
  command("credits adjust", {
    summary: "Add purchased credits to a workspace, or remove some",
    options: {
      workspace: z.string().describe("its slug"),
      amount: wholeNumber.pipe(amount).describe("credits to add; negative to remove"),
      reason: reason.describe("reason shown in the ledger"),
    },
    async run(operator, { workspace, amount, reason }) {
      const entry = await operator.write(async (ctx) => {
        const id = await workspaceId(ctx, workspace);
        return adjustCredits(ctx, id, { amount, reason });
      });
      if (!entry) throw new Failure(`${workspace} has not that many credits, or would have too many.`);
      return {
        json: { entry },
        text: `${workspace} has ${counted(entry.balance_after, "bought credit")} (${signed(amount)}).`,
      };
    },
  }),
];

const signed = (amount: number) => (amount > 0 ? `+${amount}` : String(amount));
