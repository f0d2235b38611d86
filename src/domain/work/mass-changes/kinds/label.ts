import { writeItems } from "../items.sql.ts";
import type { ComparedKind } from "../kinds.ts";

/** A deleted label is removed from its issues. `data` has the label, because its row is gone. */
export const label: ComparedKind = {
  // The first part finds issues that are not archived by index. Of archived ones it reads all of the project.
  toCome: `i.project_id = m.project_id and i.label_ids @> array[m.target_id]`,
  fieldOf: () => "labels",
  changesOf: ({ label_ids }, { target_id }) =>
    label_ids.includes(target_id) ? { label_ids: label_ids.filter((id) => id !== target_id) } : null,
  write: (ctx, change, items) =>
    writeItems(ctx, change, items, "label_ids = array_remove(i.label_ids, m.target_id)", "take_label_off"),
};
