import type { z } from "zod";
import { input } from "../../kernel/described.ts";
import { color, line, reference, text } from "../../kernel/wire.ts";
import { aboutPortfolioInput, aboutPortfolioProjectInput } from "./descriptions.ts";

/** Bodies of the portfolio calls, named as the specification names them. */

const fields = {
  description_md: text(0, 10_000).nullable().optional(),
  lead_user_id: reference.nullable().optional(),
};

export const PortfolioCreateInput = input("PortfolioCreateInput", aboutPortfolioInput, {
  name: line(1, 120),
  ...fields,
  color: color.default("#8b8f98"),
});
export type PortfolioCreateInput = z.output<typeof PortfolioCreateInput>;

export const PortfolioPatchInput = input("PortfolioPatchInput", aboutPortfolioInput, {
  name: line(1, 120).optional(),
  ...fields,
  color: color.optional(),
});
export type PortfolioPatchInput = z.output<typeof PortfolioPatchInput>;

/** The engine reads the project and checks that the caller sees it. */
export const PortfolioProjectAddInput = input("PortfolioProjectAddInput", aboutPortfolioProjectInput, {
  project_id: reference,
});
