import type { WebContext } from "../context.ts";
import { formatTime, plural } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { StoreDelivery } from "../ports.ts";
import { sandboxPage } from "./layout.ts";

/** How a delivery stands, in a word. */
function verdict(delivery: StoreDelivery): Html {
  const { status, nextAttemptAt, attempts } = delivery;
  if (status !== null && status >= 200 && status < 300)
    return html`<span class="badge good">Delivered</span>`;
  if (nextAttemptAt)
    return html`<span class="badge wait">${attempts.length === 0 ? "Waiting" : "Will retry"}</span>`;
  return html`<span class="badge bad">Given up</span>`;
}

export async function webhooksPage(web: WebContext): Promise<Html> {
  const deliveries = await web.ports.deliveries();
  return sandboxPage(web, {
    place: "webhooks",
    title: "Webhooks",
    content: html`<h1>Webhooks</h1>
      <p class="lead">What the store told the app, newest first.</p>
      ${
        deliveries.length === 0
          ? html`<p class="card">Nothing yet. Webhooks start when the app is installed and something happens.</p>`
          : html`<div class="card table-wrap"><table class="stack">
              <thead><tr><th scope="col">Topic</th><th scope="col">Time</th><th scope="col">State</th><th scope="col">Answer</th><th scope="col" class="number">Attempts</th></tr></thead>
              <tbody>
                ${deliveries.map(
                  (delivery) => html`<tr>
                    <th scope="row"><a href="/sandbox/webhooks/${encodeURIComponent(delivery.id)}">${delivery.topic}</a></th>
                    <td>${formatTime(delivery.triggeredAt)}</td>
                    <td>${verdict(delivery)}</td>
                    <td>${delivery.status === null ? "no answer" : html`<span class="narrow-only">answer </span>${delivery.status}`}</td>
                    <td class="number">${delivery.attempts.length}<span class="narrow-only"> ${delivery.attempts.length === 1 ? "attempt" : "attempts"}</span></td>
                  </tr>`,
                )}
              </tbody>
            </table></div>`
      }`,
  });
}

export function webhookPage(web: WebContext, delivery: StoreDelivery): Html {
  return sandboxPage(web, {
    place: "webhooks",
    title: delivery.topic,
    content: html`<p class="crumb"><a href="/sandbox/webhooks">← Webhooks</a></p>
      <div class="heading"><h1>${delivery.topic}</h1>${verdict(delivery)}
        <form method="post" action="/sandbox/webhooks/${encodeURIComponent(delivery.id)}/redeliver"><button class="button">Send again</button></form>
      </div>
      <section class="card">
        <dl class="facts">
          <dt>To</dt><dd><code>${delivery.url}</code></dd>
          <dt>Triggered</dt><dd>${formatTime(delivery.triggeredAt)}</dd>
          ${delivery.nextAttemptAt && html`<dt>Next attempt</dt><dd>${formatTime(delivery.nextAttemptAt)}</dd>`}
        </dl>
      </section>
      <section class="card table-wrap">
        <h2>${plural(delivery.attempts.length, "attempt")}</h2>
        ${
          delivery.attempts.length > 0 &&
          html`<table>
            <thead><tr><th scope="col">Time</th><th scope="col">Answer</th><th scope="col" class="number">Took</th></tr></thead>
            <tbody>
              ${delivery.attempts.map(
                (attempt) => html`<tr>
                  <td>${formatTime(attempt.at)}</td>
                  <td>${attempt.status ?? "none"}${attempt.error && html` <span class="quiet">${attempt.error}</span>`}</td>
                  <td class="number">${Math.round(attempt.ms)} ms</td>
                </tr>`,
              )}
            </tbody>
          </table>`
        }
      </section>
      <section class="card"><h2>Headers</h2>
        <dl class="facts">${Object.entries(delivery.headers).map(([name, value]) => html`<dt><code>${name}</code></dt><dd><code class="wrap">${value}</code></dd>`)}</dl>
      </section>
      <section class="card"><h2>Body</h2><pre tabindex="0" aria-label="Body">${prettyJson(delivery.payload)}</pre></section>`,
  });
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
