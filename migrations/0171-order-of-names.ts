import { ConcurrentIndexes } from "./shared/concurrent-indexes.ts";

/** Lists by name are in the order of dictionaries, in which é stands beside e. */
export class OrderOfNames extends ConcurrentIndexes {
  override up(): void {
    this.build("label_list", `label (project_id, (name collate "und-x-icu"), id)`);
    this.build("project_list", `project (workspace_id, (name collate "und-x-icu"), id)`);
    this.build("label_key", `label (project_id, (name_key(name)))`);
  }
}
