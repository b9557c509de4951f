import { createHash } from "node:crypto";
import { PALETTES } from "../../platform/palettes.ts";

const declared = (scheme: keyof typeof PALETTES) =>
  Object.entries(PALETTES[scheme])
    .map(([name, colour]) => `--${name}:${colour};`)
    .join("");

/**
 * Inside a theme, whose own colours stay as they are at night, the page stays light, on paper of its own
 * (docs/decisions/0072). On paper it is light as well. A reader's own colours (forced colours) lie under a theme too, and leave the
 * pictures as they are: on a dark ground these get the colours of the night everywhere.
 */
const COLOURS = `.pw-body,.pw-page{${declared("light")}color-scheme:light}
@media screen and (prefers-color-scheme:dark){.pw-body,.pw-body .pw-page{${declared("dark")}color-scheme:dark}}
@media screen and (forced-colors:active) and (prefers-color-scheme:dark){.pw-page{${declared("dark")}}}`;

/**
 * A rem of ours is the size of text that the reader's browser is set to. A theme may make its own rem 10 pixels wide, or
 * keep it from growing with the reader's size. The property is registered so that it is computed where it stands, and is
 * inherited as a length. A browser from before 2024 takes it for an em, with which some small text gets a little smaller.
 */
const REM = `@property --pw-rem{syntax:"<length>";inherits:true;initial-value:16px}
.pw-body,.pw-page{font-size:medium;--pw-rem:1em}`;
const inOurRem = (sheet: string) =>
  sheet.replace(/(-?[\d.]+)rem\b/g, (_, number) => `calc(var(--pw-rem)*${number})`);

const SHEET = `
.pw-page{color:var(--ink);background:var(--paper);font:medium/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;box-sizing:border-box;width:100%;max-width:44rem;margin:0 auto;padding:16px;overflow-wrap:break-word}
body.pw-body{margin:0;background:var(--paper)}
.pw-page *{box-sizing:border-box}
.pw-page h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0 1rem}
.pw-page h2{font-size:1.2rem;line-height:1.3;margin:0 0 .5rem}
.pw-page h3{font-size:1rem;margin:0}
.pw-page p{margin:0 0 .75rem}
.pw-page .pw-lines{white-space:pre-line}
.pw-page .pw-list{margin:0 0 .75rem;padding-left:1.25rem}
.pw-page a{color:var(--act)}
.pw-page header,.pw-page footer{color:var(--quiet);font-size:.9rem}
.pw-page header{border-bottom:1px solid var(--line);padding-bottom:.5rem;font-weight:600}
.pw-page footer{border-top:1px solid var(--line);margin-top:2rem;padding-top:.75rem}
.pw-page>.pw-ask{color:var(--quiet);font-size:.9rem;border-top:1px solid var(--line);margin-top:2rem;padding-top:.75rem}
.pw-page .pw-skip{position:absolute;left:-999rem}
.pw-page .pw-skip:focus{position:static}
.pw-page :focus-visible{outline:3px solid var(--act);outline-offset:2px}
.pw-page .pw-card{border:1px solid var(--line);border-radius:8px;padding:16px;margin:0 0 1rem}
.pw-page .pw-top{display:flex;flex-wrap:wrap;gap:.25rem .75rem;justify-content:space-between;align-items:baseline}
.pw-page .pw-top>*{min-width:0}
.pw-page .pw-badge{border:1px solid currentColor;border-radius:1rem;padding:0 .6rem;font-size:.85rem;font-weight:600;margin-bottom:.25rem;color:var(--quiet)}
.pw-page .pw-badge.pw-bad{color:var(--bad)}
.pw-page .pw-quiet{color:var(--quiet);font-size:.9rem}
.pw-page .pw-actions{display:flex;flex-wrap:wrap;gap:.5rem;margin:.75rem 0 0}
.pw-page .pw-button,.pw-page button{display:inline-block;min-height:44px;padding:.6rem 1.1rem;border:1px solid var(--ink);border-radius:6px;background:var(--paper);color:var(--ink);font:inherit;text-decoration:none;cursor:pointer}
.pw-page .pw-button.pw-first,.pw-page button.pw-first{background:var(--ink);color:var(--paper)}
.pw-page .pw-notice{border-left:4px solid var(--act);background:var(--soft);padding:.75rem 16px;margin:0 0 1rem;border-radius:0 6px 6px 0}
.pw-page .pw-notice.pw-bad{border-color:var(--bad)}
.pw-page .pw-notice>:last-child,.pw-page .pw-card>:last-child{margin-bottom:0}
.pw-page .pw-notice h2{font-size:1rem}
.pw-page .pw-steps{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem;margin:.75rem 0;padding:0;font-size:.8rem}
.pw-page .pw-steps li{flex:1 1 3.2rem;border-top:4px solid var(--line);padding-top:.25rem;color:var(--quiet)}
.pw-page .pw-steps .pw-done{border-color:var(--good)}
.pw-page .pw-steps .pw-now{border-color:var(--ink);color:var(--ink);font-weight:600}
.pw-page .pw-steps small{display:block}
.pw-page .pw-field{margin:0 0 1rem}
.pw-page label{display:block;font-weight:600;margin:0 0 .25rem}
.pw-page input,.pw-page select{font:inherit;color:inherit;background:var(--paper);width:100%;min-height:44px;padding:.5rem .6rem;border:1px solid var(--edge);border-radius:6px}
.pw-page [aria-invalid=true]{border:2px solid var(--bad)}
.pw-page .pw-error{color:var(--bad);font-weight:600;margin:.25rem 0 0}
.pw-page input~.pw-quiet,.pw-page input~.pw-error{margin-top:.5rem}
.pw-page fieldset{border:0;padding:0;min-width:0}
.pw-page fieldset.pw-field{margin:0 0 1rem}
.pw-page legend{font-weight:600;margin:0 0 .25rem;padding:0}
.pw-page label+.pw-quiet,.pw-page legend+.pw-quiet{margin:0 0 .25rem}
.pw-page .pw-parts{display:flex;flex-wrap:wrap;gap:.75rem}
.pw-page .pw-parts label{font-weight:400}
.pw-page .pw-part-day,.pw-page .pw-part-month{width:4.5rem}
.pw-page .pw-part-year{width:6.5rem}
.pw-page input.pw-short{max-width:7rem}
.pw-page input.pw-medium{max-width:16rem}
.pw-page .pw-notice a{font-weight:600}
.pw-page .pw-notice ul{margin:0;padding-left:1.25rem}
.pw-page .pw-notice .pw-plain{padding:0}
.pw-page svg.pw-card-picture{height:auto;max-width:20rem;margin:0 0 1rem;font-family:inherit;fill:var(--ink)}
.pw-page .pw-card-edge{fill:var(--soft);stroke:var(--edge);stroke-width:2}
.pw-page .pw-card-mark{fill:var(--paper);stroke:var(--act);stroke-width:2}
.pw-page .pw-card-number{font-size:20px;font-weight:600;letter-spacing:1px}
.pw-page .pw-card-name{font-size:15px}
.pw-page .pw-card-small{font-size:17px;font-weight:700}
.pw-page .pw-card-label{font-size:13px;font-weight:700;fill:var(--act)}
.pw-page .pw-tick{display:flex;gap:.6rem;align-items:flex-start}
.pw-page .pw-tick input{width:1.5rem;min-width:1.5rem;min-height:1.5rem;margin:.6rem 0}
.pw-page .pw-tick label{font-weight:400;min-height:44px;margin:0;padding:.6rem 0}
.pw-page dl{margin:0}
.pw-page .pw-plain{list-style:none;margin:0;padding:0}
.pw-page .pw-marker{border-top:1px solid var(--line);padding:.75rem 0}
.pw-page .pw-part{border-top:1px solid var(--line);margin-top:.75rem;padding-top:.75rem}
.pw-page .pw-part p{margin:.25rem 0 0}
.pw-page .pw-actions:empty{display:none}
.pw-page .pw-value{font-size:1.15rem;font-weight:600;margin:.1rem 0}
.pw-page .pw-said{white-space:pre-line}
.pw-page svg{display:block;width:100%;max-width:22rem;height:24px;margin:.25rem 0}
.pw-page svg.pw-trend{height:auto;max-width:20rem;margin:.5rem 0 .25rem;font-family:inherit}
.pw-page svg.pw-qr{height:auto;width:12rem;max-width:100%}
.pw-page details{margin:.25rem 0}
.pw-page details.pw-card>summary{margin:-16px;padding:16px 44px 16px 16px}
.pw-page details.pw-card[open]>summary{margin-bottom:0}
.pw-page summary{cursor:pointer;min-height:44px;padding:.5rem 0}
.pw-page details.pw-card{margin:0 0 .5rem}
.pw-page details.pw-card>summary,.pw-page .pw-row>summary{position:relative}
.pw-page details.pw-card>summary,.pw-page details.pw-card>summary *{display:block}
.pw-page .pw-row{border-top:1px solid var(--line);margin:0;padding:0}
.pw-page .pw-row>summary,.pw-page .pw-above{display:flex;flex-wrap:wrap;gap:0 .75rem;align-items:baseline;padding:.5rem 28px .5rem 0}
.pw-page .pw-row>summary>*,.pw-page .pw-above>*{max-width:100%}
.pw-page .pw-row>summary>:first-child,.pw-page .pw-above>:first-child{flex:1 1 5.5rem}
.pw-page .pw-row span:last-of-type:not(:first-child){flex:1 0 100%}
.pw-page .pw-row>summary::after,.pw-page details.pw-card>summary::after{content:"+";content:"+" / "";position:absolute;top:.5rem;right:0;color:var(--quiet);font-weight:600}
.pw-page details.pw-card>summary::after{top:16px;right:16px}
.pw-page .pw-row[open]>summary::after,.pw-page details.pw-card[open]>summary::after{content:"\\2212";content:"\\2212" / ""}
.pw-page summary::-webkit-details-marker{color:var(--quiet)}
.pw-page table{border-collapse:collapse;width:100%;font-size:.9rem}
.pw-page th,.pw-page td{text-align:left;padding:.3rem .5rem .3rem 0;border-bottom:1px solid var(--line)}
.pw-page .pw-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.pw-page td,.pw-page strong{overflow-wrap:anywhere}
.pw-page .pw-way{margin:-.5rem 0}
.pw-page .pw-way,.pw-page .pw-call,.pw-page .pw-ask a,.pw-page .pw-notice li a,.pw-page .pw-above a{display:inline-block;max-width:100%;min-height:44px;padding:.65rem 0}
@media(max-width:30em){.pw-page .pw-actions>*,.pw-page .pw-actions>form>button{flex:1 1 auto;text-align:center}.pw-page .pw-actions>form>button{width:100%}}
@media(max-width:17em){.pw-page :is(table,tbody,tr,td){display:block}.pw-page thead{position:absolute;clip-path:inset(50%)}.pw-page tr{padding:.3rem 0;border-bottom:1px solid var(--line)}.pw-page td{padding:0;border:0}}
.pw-page .pw-each{display:none}
@page{margin:16mm 14mm}
@media print{
.pw-page .pw-sheets{display:table;table-layout:fixed;width:100%}
.pw-page .pw-each{display:table-header-group;break-inside:avoid;font-size:9pt;line-height:2.2}
.pw-page .pw-rest{display:table-row-group}
.pw-page{max-width:none;padding:0;font-size:11pt}
.pw-page .pw-actions,.pw-page .pw-skip,.pw-page form.pw-card,.pw-page .pw-way,.pw-page li:has(>.pw-way),.pw-page button,.pw-page summary::after{display:none!important}
.pw-page details>*{display:block}
.pw-page details::details-content{content-visibility:visible;block-size:auto;opacity:1}
.pw-page summary{list-style:none}
.pw-page a,.pw-page .pw-ask a,.pw-page .pw-notice li a{display:inline;padding:0;color:inherit}
.pw-page a[href^="http"]::after{content:" (" attr(href) ")"}
.pw-page h1,.pw-page h2,.pw-page h3,.pw-page summary{break-after:avoid}
.pw-page .pw-marker,.pw-page summary,.pw-page .pw-row,.pw-page .pw-notice,.pw-page .pw-field,.pw-page tr,.pw-page svg{break-inside:avoid}
.pw-page p{orphans:3;widows:3}
}
`;

/**
 * The whole look of the customer's pages. Each class begins with `pw-`, so that neither a theme's style reaches these
 * pages nor this one anything of a theme around them. Nothing in it moves.
 */
export const STYLE = `${REM}
${COLOURS}${inOurRem(SHEET)}`;

/** The only style that a page's security policy lets the browser use. */
export const STYLE_HASH = `sha256-${createHash("sha256").update(STYLE).digest("base64")}`;
