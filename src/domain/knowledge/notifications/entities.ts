import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, ownedByWorkspace } from "../../kernel/entity.ts";

/** What its reader may change of a notification. Workers write the rows. */
export const NotificationEntity = defineEntity({
  name: "Notification",
  tableName: "notification",
  filters: ownedByWorkspace,
  properties: {
    id: p.uuid().primary(),
    workspace_id: p.uuid(),
    user_id: p.uuid(),
    read_at: instantColumn().strictNullable(),
  },
});
export type NotificationEntity = InferEntity<typeof NotificationEntity>;
