import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { REPORT_TITLES } from "../../../domain/work/reports/charts.ts";
import { REPORTS, type ReportName, type ReportView } from "../../../domain/work/reports/views.ts";
import { CSV } from "../../engine/csv.ts";
import { SVG } from "../../engine/drawn.ts";
import { code } from "../kit/code.ts";
import { select, textField } from "../kit/fields.ts";
import { empty, fold, ways } from "../kit/pieces.ts";
import { readNames, type SprintChoice } from "../project/choices.ts";
import { named, PROJECT, pathOf, projectHead, readProject } from "../project/head.ts";
import { wordsOf } from "../site/refusal-words.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { reportPicture } from "./picture.ts";
import { reportTable } from "./table.ts";

/** The reports of a project: `/reports` is the burndown, `/reports/:report` any, each as a picture and as numbers. */

const PARAMETERS: Record<ReportName, readonly ("from" | "to" | "sprint" | "interval")[]> = {
  burndown: ["sprint"],
  velocity: ["from", "to"],
  "cycle-time": ["from", "to", "interval"],
  throughput: ["from", "to", "interval"],
  "status-breakdown": ["sprint"],
  "type-breakdown": ["sprint"],
  workload: ["sprint"],
};
const ORDER: readonly ReportName[] = [
  "burndown",
  "velocity",
  "cycle-time",
  "throughput",
  "status-breakdown",
  "type-breakdown",
  "workload",
];

export function reportPages(site: Site): void {
  site.workspace("get", `${PROJECT}/reports`, (call) => show(site, call, "burndown"));
  site.workspace("get", `${PROJECT}/reports/:report`, (call) => show(site, call, call.params.report ?? ""));
  site.workspace("get", `${PROJECT}/reports/:report/picture.svg`, async (call) => {
    const width = call.query("width");
    const query = { ...asked(call, call.params.report ?? ""), ...(width === "" ? {} : { width }) };
    const file = await site.file(call, "reports.get", { params: of(call), query, headers: { accept: SVG } });
    return { file, type: SVG };
  });
  site.workspace("get", `${PROJECT}/reports/:report/table.csv`, async (call) => {
    const query = { ...asked(call, call.params.report ?? ""), format: "csv" };
    const file = await site.file(call, "reports.get", { params: of(call), query });
    return { file, type: CSV, name: `${named(call).key}-${call.params.report}.csv` };
  });
}

const of = (call: WorkspaceCall) => ({ ...named(call), report: call.params.report ?? "" });

const isReport = (name: string): name is ReportName => (REPORTS as readonly string[]).includes(name);

/** The parameters that the report takes, without empty fields. */
const asked = (call: WorkspaceCall, report: string): Record<string, string> =>
  Object.fromEntries(
    (isReport(report) ? PARAMETERS[report] : [])
      .map((name) => [name, call.query(name)])
      .filter(([, value]) => value !== ""),
  );

async function show(site: Site, call: WorkspaceCall, report: string): Promise<PageAnswer> {
  const query = asked(call, report);
  const params = { ...named(call), report };
  const hasSprint = isReport(report) && PARAMETERS[report].includes("sprint");
  const [project, read, sprints] = await Promise.all([
    readProject(site, call),
    readReport(site, call, { params, query }),
    hasSprint ? readNames(site, call, "sprints.list") : [],
  ]);
  const base = `${pathOf(call)}/reports`;
  const name: ReportName = isReport(report) ? report : "burndown";
  const path = `${base}/${name}`;
  const api = `${site.runtime.settings.baseUrl}/v1/workspaces/${call.here.workspace.slug}/projects/${project.key}/reports/${name}`;
  return {
    title: `${REPORT_TITLES[name]} of ${project.name}`,
    status: read.refusal?.status ?? 200,
    wide: true,
    live: { project: project.id, kinds: ["issue", "sprint"] },
    body: html`${projectHead(call, project, "/reports")}
      ${ways(
        "Reports",
        ORDER.map((one) => ({ href: `${base}/${one}`, label: REPORT_TITLES[one], current: one === name })),
      )}
      ${read.view || read.refusal?.status === 400 ? form(path, name, call, sprints) : ""}
      ${read.refusal ? refused(read.refusal) : ""}${read.view ? shown(read.view, { path, query, api, project: pathOf(call) }) : ""}`,
  };
}

type Read = { view?: ReportView; refusal?: Refusal };

/** What the plan or a wrong day refuses is said on the page. */
async function readReport(
  site: Site,
  call: WorkspaceCall,
  input: { params: Record<string, string>; query: Record<string, string> },
): Promise<Read> {
  try {
    return { view: await site.perform<ReportView>(call, "reports.get", input) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.status !== 400 && refusal.status !== 403) throw error;
    return { refusal };
  }
}

const refused = (refusal: Refusal): Html =>
  refusal.status === 400 ? problemBox(refusal) : empty("Reports are not available here", wordsOf(refusal).text);

const INTERVALS = ["day", "week", "month"].map((value) => ({
  value,
  label: value.slice(0, 1).toUpperCase() + value.slice(1),
}));

function form(action: string, name: ReportName, call: WorkspaceCall, sprints: readonly SprintChoice[]): Html {
  const fields = PARAMETERS[name].map((parameter) => {
    const value = call.query(parameter);
    if (parameter === "sprint") {
      const options = sprints.map((one) => ({ value: one.id, label: one.name }));
      const none = name === "burndown" ? "The current one" : "All issues";
      return select({ name: parameter, label: "Sprint", value, options, none });
    }
    if (parameter === "interval")
      return select({ name: parameter, label: "Periods", value: value || "week", options: INTERVALS });
    return textField({ name: parameter, label: parameter === "from" ? "From" : "To", type: "date", value });
  });
  return html`<form class="inline-form" method="get" action="${action}">${fields}<button class="second">Show</button></form>`;
}

function shown(
  view: ReportView,
  { path, query, api, project }: { path: string; query: Record<string, string>; api: string; project: string },
): Html {
  const search = new URLSearchParams(query).toString();
  const withSearch = (address: string) => (search === "" ? address : `${address}?${search}`);
  const curl = `curl -H "Authorization: Bearer $KEY" -H "Accept: image/svg+xml" "${withSearch(api)}"`;
  return html`${reportPicture(view, { path, query })}
    <div class="headline"><h2>The numbers</h2><p class="row"><a href="${withSearch(`${path}/table.csv`)}">As CSV</a>
      <a href="${withSearch(`${path}/picture.svg`)}">Picture as SVG</a></p></div>
    ${reportTable(view, REPORT_TITLES[view.report], project)}
    ${fold("For programs and agents", html`<p>The API draws the same picture, with the same parameters. Without the header it returns the numbers.</p>${code("Picture from the API", curl)}`)}`;
}
