/** Long because it holds the words of every page of a patient. */
import words from "../../../extensions/my-tests/locales/en.default.json" with { type: "json" };

/**
 * The words of the shopper's pages. They are those of the customer-account extension, so that a patient reads
 * the same whichever way they came; what only these pages say stands below.
 */
const PAGES = {
  and_here: {
    tests: "Your tests",
    test: "Your test",
    skip: "Skip to the content",
    back: "Back to your tests",
    older: "Show older tests",
    needed_next:
      "We prepare the form of a test as soon as we have its details. You can close this page and add the other details later.",
    give_next: "Add details for the next test",
    several:
      "You have more than one test in this order. Each test has its own email and its own page.",
    several_saved:
      "These are the details for one test. For each other test, open its own email and add the details there.",
    leave: "Sign out",
    left: "You are signed out",
    left_next: "To come back, open the newest email from the shop, or ask for a new link there.",
    erase_changed:
      "Nothing was deleted. The test has changed since this page was opened: read again what is deleted, then choose.",
    visit_over: "This visit has ended",
    visit_over_next:
      "If you have just deleted the data of a test here, your data is deleted. To come back, open the newest email from the shop, or ask for a new link there.",
    help: "Questions about your order? Contact the shop.",
    help_ways: "Questions? Contact {{shop}}:",
    give: "Add patient details",
    hand_over: "Let the patient fill this in",
    used_form: "Open the form that was used",
    steps: "Where it stands",
    step: { details: "Details", form: "Form", collection: "Collection", results: "Results" },
    step_done: "done",
    step_now: "now",
    step_later: "later",
    nothing: "There is nothing here",
    nothing_next: "There are no tests to show. A test appears a few minutes after it was paid.",
    other_store: "Nothing was saved or changed",
    other_store_next:
      "Another store uses this shop’s address at the moment. Please contact the shop.",
    not_found: "This is not available",
    not_found_next:
      "It does not exist, or this account or link does not open it. Or it was withdrawn: the test was cancelled, refunded or corrected, or its results were taken back or are being checked again. Your list of tests says where each one stands.",
    document_closed: "This document does not open from here",
    document_closed_next:
      "For your privacy, a link to a document works once, within a minute. Open the document again from your tests. If it is not there, it was withdrawn: the test was cancelled, refunded or corrected, or its results were taken back or are being checked again.",
    document_away: "This document can’t be opened just now",
    document_away_next:
      "Please open it again in a few minutes. If it still doesn’t open, contact the shop.",
    away: "This page can’t be shown just now",
    away_next:
      "Please try again in a minute. Your tests and your results are safe. If you were sending a form, reload this page: your browser then sends it again as you typed it.",
    failed: "Something went wrong on our side",
    failed_next:
      "Please try again in a few minutes. If you were sending a form, reload this page: your browser then sends it again as you typed it. If it still doesn’t work, contact the shop.",
    download_closed: "This download does not open from here",
    download_closed_next:
      "For your privacy, a link to a download works once, within a minute. Go back to your tests, open Your data and privacy, and start the download again.",
    data: "Your data and privacy",
    foreign_form: "The form was not sent",
    foreign_form_next:
      "Nothing was saved or sent. The page may have been open for too long, or you may have signed in since. Go back to your tests and start again from there.",
    foreign_details:
      "Nothing is saved yet: this page stood open for too long. What you typed is still here. Check it, tick the box and save again.",
    too_late: "These details can no longer be changed here",
    too_late_next:
      "Your test has been ordered with these details. If something in them is wrong, contact the shop.",
    given: "The details have been given already",
    given_next:
      "They were saved before, and this link can’t change them. To see where the test stands, or to have a link to change the details emailed to you, go back to your tests.",
    cancelled: "This test was cancelled",
    cancelled_next:
      "Nothing was saved or sent. If the test should go ahead, or if this surprises you, contact the shop.",
    paused: "This test is waiting for the shop",
    paused_next:
      "It was refunded or removed from the order, and the shop is deciding whether it goes ahead. Until then its details and its form are closed. We will email you.",
    paused_kept: "This test is waiting for the shop",
    paused_kept_next:
      "It was refunded or removed from the order, and the shop is deciding whether it goes ahead. We keep what you typed for 24 hours. If the test goes ahead within that time, you will find it in the form.",
    invitation_cancelled: "The invitation is cancelled",
    invitation_cancelled_next:
      "The link that we sent no longer opens this test. You can add the details yourself, or send a link again.",
    hand_over_late: "This test can no longer be sent to somebody",
    hand_over_late_next:
      "The test or a part of it has been ordered, or the patient has opened the link. If the test is for somebody else, contact the shop.",
    too_often: "Sent too often today",
    too_often_next:
      "We have sent several emails about this test today, and nothing was sent this time. The patient can look for the newest email from the shop. Or try again tomorrow.",
    error_title: "Error: {{title}}",
    tab: {
      details: "Patient details",
      result: "Results",
      share: "Share with a doctor",
      erase: "Delete data",
      delete_saved: "Delete saved details",
    },
    no_answer: "If no new page appears after you save, save again: we keep the details once.",
    kept: "We kept what you typed last time",
    kept_next: "Check it, tick the box and save.",
    dob_hint: "For example, 27 3 1985",
    dob_part: { day: "Day", month: "Month", year: "Year" },
    card_hint: "The 10 digits on the front of the card",
    card_picture:
      "Sketch of a Medicare card. The 10-digit number is in the middle. The IRN is the digit to the left of each name, below the number.",
    phone_hint: "An Australian number, for example 0412\u00a0345\u00a0678",
  },
  saved_people: {
    heading: "Saved details",
    one: "{{name}}, born {{year}}",
    use: "Use saved details",
    use_next: "Choose a person to fill in the form. You can change everything before you save.",
    filled: "Filled in with the saved details of {{name}}",
    filled_next: "Check them, tick the box to agree and save.",
    keep: "Save these details for my next test",
    keep_hint:
      "They are kept encrypted with your account at this shop, apart from this test. Only you can choose them. You can delete them at any time under Saved details on the page with your tests. If they are another person’s, save them only if that person agrees.",
    kept_for: "Details that you haven’t saved or used for {{time}} are deleted.",
    kept_on: "They are kept until you delete them.",
    kept: "These details are also saved for your next test.",
    full: "These details weren’t saved for your next test: you have 20 people saved. Delete one of them under Saved details first.",
    nobody:
      "You haven’t saved anybody’s details. You can save them in the form of your next test, so that you don’t have to type them again.",
    what: "You can fill in your next tests with these people’s details.",
    change:
      "To change somebody’s details, use them in the form of your next test, change what is wrong and save them there again. With another name or date of birth they are saved as another person.",
    delete: "Delete",
    delete_heading: "Delete the saved details of {{name}}?",
    delete_next:
      "They are deleted from your account. A test that was given these details keeps them: you can delete its data under Your data and privacy. This can’t be undone.",
    unread: "Details that we can’t read",
    unread_next:
      "A fault in our storage hides whose details these are. You can keep them, because the fault may be mended, or delete them.",
    delete_unread_heading: "Delete the details that we can’t read?",
    delete_confirm: "Delete saved details",
    delete_stay: "Keep saved details",
    deleted: "The saved details are deleted",
    deleted_next: "Tests that were given these details keep them.",
  },
  link: {
    no_shop: "Private page",
    heading: "Your page at {{shop}}",
    ready:
      "This link is for you alone and opens once. What you see on the next page is private: open it somewhere private.",
    open: "Open my page",
    no_cookie: "Your browser didn’t keep the cookie that this page needs",
    no_cookie_next:
      "Your link is still good. Press the button once more. If you read this again, allow cookies for this site, or open the link from the email in another browser, such as Safari or Chrome.",
    gone: "This link has expired or been used",
    gone_used:
      "It was opened before. A link opens once, and the page behind it closes after two hours.",
    gone_expired: "It was emailed more than 14 days ago.",
    gone_superseded:
      "We have emailed you a newer link since. Look for the newest email from the shop.",
    gone_over:
      "This link was for adding details. The details were added, and the test was ordered with them.",
    gone_moved:
      "We closed this link, because the shop has another email address for this test now.",
    closed: "This link is closed",
    closed_revoked:
      "The invitation was cancelled, or the test was given to somebody else. Look for a newer email from the shop. If there is none, ask the person who bought the test, or contact the shop.",
    closed_left:
      "The shop can’t show forms and results here any more. Your order isn’t lost. If you have given a sample, the laboratory still tests it: contact the shop for your results. If you haven’t, contact the shop before you do.",
    gone_unknown: "Links work once, within 14 days. Pages close after two hours.",
    gone_next:
      "If this link was yours, we can email a new one to the address that the shop has now. We never send it to another address.",
    other_purpose: "This link was sent for something else",
    other_purpose_next:
      "A link opens only what it was emailed for. Go back to your tests: there you can have a link for this emailed to you.",
    mail_for: {
      details: "Email me a link to add the details",
      correction: "Email me a link to change the details",
      form: "Email me a link to open the form",
      results: "Email me a link to see the results",
    },
    mailed: "Check your email",
    mailed_next:
      "A link is on its way to the address that this page's link came to. It can take a few minutes.",
    too_often: "Sent too often today",
    too_often_next:
      "Nothing was sent this time. Look for the newest email from the shop, or try again tomorrow.",
    renew: "Send me a new link",
    kept: "We kept what you typed",
    kept_next:
      "Your visit had ended, so your details are not saved yet. Open the new link within 24 hours: the form then shows what you typed, to you alone. Check it and save.",
    renewed: "Check your email",
    renewed_next:
      "If the link was one of ours, a new one is on its way to the address that the shop has now. It can take a few minutes. Nothing comes if several were sent today, or if the test went back to the person who bought it.",
  },
  code: {
    heading: "Confirm that it's you",
    why: "Results are private, so a link alone does not open them. We email a 6-digit code to {{to}}.",
    send: "Email me a code",
    resend: "Send a new code",
    sent: "We sent a 6-digit code to {{to}}.",
    label: "6-digit code",
    hint: "The code works for 10 minutes. If nothing comes, look in your spam folder.",
    check: "Continue",
    wrong: "That code isn't right. Check the newest email and enter its 6 digits.",
    malformed: "Enter the 6 digits of the code in the newest email.",
    no_code: "That code no longer works",
    no_code_next:
      "Codes work once, within 10 minutes, on the page that asked for them. Send a new code.",
    not_mailed: "The code could not be sent",
    not_mailed_next: "Something went wrong on our side. Try again in a minute.",
    unclear: "The email may take a while",
    unclear_next:
      "The mail server hasn’t answered yet. Wait a few minutes for the code. If nothing comes, send a new one.",
    paused: "Too many tries",
    paused_next: "To keep your results safe, we have paused codes. Try again in {{time}}.",
  },
  share: {
    heading: "Share {{title}} with a doctor",
    picture: "The link as a code for a phone’s camera",
    invalid: "Choose how long the link opens",
    invalid_next: "A link opens for 1 to 90 days.",
    ended: "The link has ended",
    ended_next: "Nobody can open the result with it any more.",
    too_many: "This result has ten links already",
    too_many_next: "End one of them first.",
    ask: "A shared result",
    ask_next:
      "Somebody shared one pathology result with you, from {{shop}}. Enter the passcode that they gave you.",
    wrong: "That passcode isn’t right. Check it with the person who gave it to you.",
    malformed: "Enter the 8 digits of the passcode.",
    paused_next: "To keep the result safe, nobody can try again for {{time}}.",
    open: "Show the result",
    again: "Enter the passcode again",
    again_next:
      "The shared result opens for two hours after the passcode was entered, in the same browser. Its link still works.",
    again_link: "Back to the shared result",
    gone: "This link doesn’t open anything",
    gone_next:
      "The link has ended, or its result is not shown at the moment. Ask the person who gave you the link for a new one.",
    critical: "Results that the laboratory marked as critical: {{count}}",
    positive: "Findings that the laboratory marked: {{count}}",
    advised: "The patient reads “{{heading}}” here.",
    corrected_next:
      "Values that could be seen before have changed, last on {{date}}. Go by what is here now. A report or print of it from before then is out of date.",
    shown:
      "Shared with you by its owner, who sees when you open it. Only this result is shown. It opens until {{date}}.",
  },
  stop: {
    heading: "No more reminders?",
    next: "We then won’t send more reminders about this order. Emails that say that something is ready still come.",
    confirm: "Stop the reminders",
    stopped: "No more reminders",
    stopped_next:
      "We won’t send more reminders about this order. You can still add the details with the link in the first email.",
  },
  visits: {
    heading: "Sign out everywhere",
    next: "Ends every visit that one of our emailed links has opened, on every device, this one too.",
    end: "Sign out everywhere",
    ended: "You are signed out everywhere",
    ended_next: "To come back, ask for a new link from the newest email of the shop.",
    shares:
      "Links that you shared with a doctor still open. End them on the page of their result, under Share with a doctor.",
  },
  account_visits: {
    heading: "Close what our emailed links opened",
    next: "Ends every visit that one of our emailed links has opened, on every device. You stay signed in to your account.",
    end: "End these visits",
    ended: "The visits are ended",
    ended_next:
      "Pages that our emailed links opened are closed on every device. You are still signed in to your account: on a device that others use, sign out of it too.",
  },
  agreed: {
    link: "What you agreed to",
    heading: "What you agreed to",
    back: "Back to your data and privacy",
    nothing: "Nothing so far. What you agree to with a patient’s details is kept here.",
    by_buyer: "Agreed to on {{date}} by the person who bought the test. Version {{version}}.",
    by_patient: "Agreed to on {{date}} by the patient. Version {{version}}.",
    ticked: "Ticked: {{sentence}}",
  },
  values: {
    outside: "{{outside}} of {{number}} outside range",
    in_range: "All {{number}} in range",
    number: "Values: {{number}}",
    above: "{{flag}}, see above",
    in_report: "The values of this result are in the laboratory’s report.",
  },
  trend: {
    picture: "A line through the values of {{name}}, oldest first: {{values}}.",
    spoken_flag: " (outside range)",
    legend: "Shaded area: expected range. Filled diamond: flagged by the lab.",
    legend_no_range: "Filled diamond: flagged by the lab.",
    list: "All {{number}} values as a list",
  },
  proxy: {
    signed_out: "Sign in to see your tests",
    signed_out_next:
      "Forms and results are private. They are shown to the signed-in customer only.",
    sign_in: "Sign in",
    kept_next:
      "Your sign-in had ended, so your details are not saved yet. Sign in and open the form again within 24 hours: it then shows what you typed, to you alone. Check it and save.",
  },
} as const;

type Values = Record<string, string | number>;

/** The words under a key such as `form.save`, with their blanks filled in. Throws when there are none. */
export function customerWords(key: string, values: Values = {}): string {
  const found = lookUp(PAGES, key) ?? lookUp(words, key);
  if (found === null) throw new Error(`There are no words for ${key}`);
  return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
}

function lookUp(from: unknown, key: string): string | null {
  let at = from;
  for (const part of key.split(".")) {
    if (typeof at !== "object" || at === null) return null;
    at = new Map(Object.entries(at)).get(part);
  }
  return typeof at === "string" ? at : null;
}
