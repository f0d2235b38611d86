import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";

/** A portfolio. Its counts and its progress are computed when it is read (`portfolios.sql.ts`). */
export const PortfolioEntity = defineEntity({
  name: "Portfolio",
  tableName: "portfolio",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    name: p.string(),
    description_md: p.text().strictNullable(),
    color: p.string(),
    lead_user_id: p.uuid().strictNullable(),
    deleted_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
  },
});
export type PortfolioEntity = InferEntity<typeof PortfolioEntity>;
