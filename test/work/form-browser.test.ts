import { expect, test } from "vitest";
import { app } from "../support/app.ts";
import { noBrowser } from "../support/browser-path.ts";
import { look, profile } from "../support/chromium.ts";
import { servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/**
 * A form's public page in a real browser, without script. With SCREENSHOTS=<folder> each page is also kept as
 * pictures, to be looked at.
 */

await servePublicly();

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies freely
type Json = any;

const FIELDS: Json[] = [
  { kind: "short_text", label: "What went wrong?", mapping: "title", required: true, placeholder: "In a few words" },
  { kind: "long_text", label: "Tell us more", mapping: "description", help_text: "What did you do?\nWhat came of it?" },
  { kind: "section", label: "Where it happened", help_text: "So that we look at the right place." },
  { kind: "select", label: "Product", options: ["Web", "Phone", "Desk"], required: true },
  { kind: "multi_select", label: "Browsers", options: ["Firefox", "Chromium", "Safari"] },
  {
    kind: "short_text",
    label: "Version of the app",
    required: true,
    visibility_rule: { field: 3, op: "is", value: "Phone" },
  },
  { kind: "url", label: "Page", placeholder: "https://" },
  { kind: "section", label: "You" },
  { kind: "radio", label: "How bad is it?", options: ["Low", "High", "Critical"], mapping: "priority", required: true },
  { kind: "rating", label: "How do you like us?", help_text: "Five is best" },
  { kind: "number", label: "How often?", min_value: 1, default_value: "1" },
  { kind: "date", label: "Since when?" },
  { kind: "email", label: "Your address" },
  { kind: "phone", label: "Your number" },
  { kind: "file", label: "A picture of it", help_text: "Up to 100 MiB" },
  { kind: "checkbox", label: "You may call me back", required: true },
];

test.skipIf(noBrowser)(`a stranger fills in a form in a browser${noBrowser}`, async () => {
  const here = await world();
  const { data: form } = await here.owner
    .post("P/forms", {
      title: "Report a problem with a name that is long enough to need a second line on a phone",
      header_text: "Acme support",
      description: "We answer within two days.\nThank you for taking the time.",
      accent_color: "#f59e0b",
      status: "published",
      public_enabled: true,
      fields: FIELDS,
    })
    .expect(201);
  const context = await profile();
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("status of 4")) problems.push(message.text());
    });
    await page.goto((await app()).baseUrl + new URL(form.share_url).pathname);
    await look(page, "form-empty");
    await page.setViewportSize({ width: 320, height: 640 });
    const trap = (await page.locator("#leave_this_empty").boundingBox())!;
    expect(trap.x + trap.width, "the trap is nowhere on a small phone").toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 900 });

    // From field to field with the keyboard, in the order in which they stand; the trap is not among them.
    await page.keyboard.press("Tab");
    const order: string[] = [];
    for (let n = 0; n < 4; n++) {
      await page.keyboard.press("Tab");
      order.push(await page.evaluate("document.activeElement.labels[0].textContent"));
    }
    expect(order.map((label) => label.replace(" required", ""))).toEqual([
      "What went wrong?",
      "Tell us more",
      "Product",
      "Firefox",
    ]);

    await page.getByLabel("What went wrong?").fill("The door is stuck");
    await page.getByLabel("Tell us more").fill("I pushed.\nIt did not move.");
    await page.getByLabel("Product").selectOption("Phone");
    await page.getByLabel("Chromium").check();
    await page.getByLabel("Critical").check();
    await page.getByRole("radio", { name: "4" }).check();
    await page.getByLabel("Your number").fill("call me");
    await page.getByLabel("You may call me back").check();
    await page.getByLabel("A picture of it").setInputFiles({
      name: "door.png",
      mimeType: "image/png",
      buffer: Buffer.from("a door"),
    });
    await page.getByRole("button", { name: "Send" }).click();
    // The browser had nothing against it; we have.
    await page.waitForSelector("#problem");
    expect(await page.evaluate("document.activeElement.id")).toBe("problem");
    expect(await page.getByLabel("Tell us more").inputValue()).toBe("I pushed.\nIt did not move.");
    expect(await page.getByLabel("Product").inputValue()).toBe("Phone");
    expect(await page.getByRole("radio", { name: "4" }).isChecked()).toBe(true);
    await page.getByText("Please choose door.png again").waitFor();
    await look(page, "form-refused");

    await page.getByRole("link", { name: "Version of the app" }).click();
    await page.getByLabel("Version of the app").fill("2.1");
    await page.getByLabel("Your number").fill("+49 30 1234");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Your answer was sent").waitFor();
    await look(page, "form-sent");
    await page.reload();
    const { data: issues } = await here.owner.get("P/issues").expect(200);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ title: "The door is stuck", priority: "critical" });
    expect(problems).toEqual([]);
  } finally {
    await context.close();
  }
});

test.skipIf(noBrowser)(`right-to-left texts are shown from right to left${noBrowser}`, async () => {
  const here = await world();
  const { data: form } = await here.owner
    .post("P/forms", {
      title: "הודיעו לנו על תקלה (v2).",
      status: "published",
      public_enabled: true,
      fields: [
        { kind: "short_text", label: "מה השתבש?", required: true },
        { kind: "radio", label: "איזה מוצר?", options: ["אתר.", "Desk"] },
      ],
    })
    .expect(201);
  const context = await profile();
  try {
    const page = await context.newPage();
    await page.goto((await app()).baseUrl + new URL(form.share_url).pathname);
    await look(page, "rtl");
    // Where the first letter of a text is.
    const first = (tag: string) =>
      page.evaluate(`(() => {
        const range = document.createRange();
        range.setStart(document.querySelector("${tag}").firstChild, 0);
        range.setEnd(document.querySelector("${tag}").firstChild, 1);
        return range.getBoundingClientRect().x;
      })()`);
    for (const tag of ["h1", ".field label"]) expect(await first(tag), tag).toBeGreaterThan(640);
  } finally {
    await context.close();
  }
});

test.skipIf(noBrowser)(`the pages before a form, and those shown instead of it${noBrowser}`, async () => {
  const here = await world();
  const make = async (body: Json) => {
    const all = { title: "Ask us", status: "published", public_enabled: true, fields: [FIELDS[0]], ...body };
    const { data } = await here.owner.post("P/forms", all).expect(201);
    return (await app()).baseUrl + new URL(data.share_url).pathname;
  };
  const context = await profile();
  try {
    const page = await context.newPage();
    const address = await make({ password: "secret", confirmation_email: true, accent_color: "#1e3a8a" });
    await page.goto(address);
    await look(page, "form-password");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button").click();
    await look(page, "form-password-wrong");
    await page.getByLabel("Password").fill("secret");
    await page.getByRole("button").click();
    await look(page, "form-with-address");
    await page.getByLabel("What went wrong?").fill("Nothing");
    await page.getByRole("button").click();
    await page.getByText("Your answer was sent").waitFor();
    await page.goto(await make({ status: "closed" }));
    await look(page, "form-closed");
    await page.goto(await make({ access_mode: "members" }));
    await look(page, "form-sign-in");
  } finally {
    await context.close();
  }
});
