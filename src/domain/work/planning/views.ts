import { z } from "zod";
import { described, part, view } from "../../kernel/described.ts";
import { calendarDay, id, timestamp } from "../../kernel/wire.ts";
import { aboutLabelList } from "../issues/descriptions.ts";
import { LabelView } from "../issues/view.ts";
import {
  aboutCommitted,
  aboutDetached,
  aboutMilestone,
  aboutProgress,
  aboutRelease,
  aboutSprint,
} from "./descriptions.ts";
import { MILESTONE_STATUSES, RELEASE_STATUSES, SPRINT_STATUSES } from "./entities.ts";

const count = z.number().int();

/** The list shows the number of issues; other replies show labels without it. */
export const LabelListView = LabelView.extend(described(aboutLabelList, { issue_count: count })).meta({
  id: "LabelWithCount",
});

const Progress = part(aboutProgress, {
  total: count,
  done: count,
  failed: count,
  cancelled: count,
  percent: count,
});

const common = { id, name: z.string() };
const own = { rank: z.string(), created_by: id.nullable(), created_at: timestamp, updated_at: timestamp };

export const MilestoneView = view("Milestone", aboutMilestone, {
  ...common,
  description_md: z.string().nullable(),
  status: z.enum(MILESTONE_STATUSES),
  start_at: timestamp.nullable(),
  start_on: calendarDay.nullable(),
  due_at: timestamp.nullable(),
  due_on: calendarDay.nullable(),
  progress: Progress,
  completed_at: timestamp.nullable(),
  ...own,
});
export type MilestoneView = z.output<typeof MilestoneView>;

export const SprintView = view("Sprint", aboutSprint, {
  ...common,
  goal: z.string().nullable(),
  status: z.enum(SPRINT_STATUSES),
  start_at: timestamp.nullable(),
  start_on: calendarDay.nullable(),
  end_at: timestamp.nullable(),
  end_on: calendarDay.nullable(),
  capacity_points: count.nullable(),
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  progress: Progress.extend(described(aboutProgress, { points: count, done_points: count })),
  committed: part(aboutCommitted, { issues: count, points: count }).nullable(),
  demoted_sprint_id: id.nullable(),
  ...own,
});
export type SprintView = z.output<typeof SprintView>;

export const ReleaseView = view("Release", aboutRelease, {
  ...common,
  version: z.string().nullable(),
  description_md: z.string().nullable(),
  status: z.enum(RELEASE_STATUSES),
  target_date: timestamp.nullable(),
  target_on: calendarDay.nullable(),
  released_at: timestamp.nullable(),
  progress: Progress,
  ...own,
});
export type ReleaseView = z.output<typeof ReleaseView>;

export const PlanningDeleted = part(aboutDetached, { id, deleted: z.literal(true), issues_detached: count });
export type PlanningDeleted = z.output<typeof PlanningDeleted>;

type Counts = { total: number; done: number; failed: number; cancelled: number };

/** Rows of the reads: own columns and counts. */
export type MilestoneRow = Omit<MilestoneView, "progress"> & Counts;
export type ReleaseRow = Omit<ReleaseView, "progress"> & Counts;
export type SprintRow = Omit<SprintView, "progress" | "committed" | "demoted_sprint_id"> &
  Counts & { points: number; done_points: number; committed_issues: number | null; committed_points: number | null };

const progressOf = ({ total, done, failed, cancelled }: Counts) => ({
  total,
  done,
  failed,
  cancelled,
  percent: percentOf(done, total - cancelled),
});

/** Rounds, but returns 100 only if all are done, and 0 only if none is. */
function percentOf(done: number, of: number): number {
  if (done === 0) return 0;
  return done === of ? 100 : Math.min(99, Math.max(1, Math.round((100 * done) / of)));
}

export const milestoneView = (row: MilestoneRow): MilestoneView =>
  MilestoneView.parse({ ...row, progress: progressOf(row) });

export const releaseView = (row: ReleaseRow): ReleaseView => ReleaseView.parse({ ...row, progress: progressOf(row) });

export const sprintView = (row: SprintRow, demotedId: string | null = null): SprintView =>
  SprintView.parse({
    ...row,
    progress: { ...progressOf(row), points: row.points, done_points: row.done_points },
    committed: row.committed_issues === null ? null : { issues: row.committed_issues, points: row.committed_points },
    demoted_sprint_id: demotedId,
  });
