import { p } from "@mikro-orm/core";

/**
 * Every owned entity is read through this filter, which throws while no workspace is set: a query that forgets its
 * tenant fails instead of answering another tenant's rows. Raw SQL passes it by, hence the rule for *.sql.ts files.
 */
export const ownedByWorkspace = {
  workspace: {
    name: "workspace",
    cond: (args: { workspaceId?: string }) => {
      if (!args?.workspaceId) throw new Error("An owned entity was read without a workspace.");
      return { workspace_id: args.workspaceId };
    },
    default: true,
  },
};

/** `timestamptz(3)`, held as RFC 3339 text: dates go from column to wire without a Date in between. */
export const instantColumn = () => p.string().columnType("timestamptz(3)").runtimeType("string");

export const uuidList = () => p.array().columnType("uuid[]");
export const textList = () => p.array().columnType("text[]");

/** Columns of every owned row. */
export const owned = {
  id: p.uuid().primary(),
  workspace_id: p.uuid(),
  created_at: instantColumn(),
  updated_at: instantColumn(),
};
