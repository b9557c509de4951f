/** The look of the web application's pages. */
export const style = `
:root { --ink:#14212b; --soft:#51606b; --paper:#f7f5f0; --card:#ffffff; --rule:#d9d4c8; --brand:#0f4c5c; --brand-soft:#e3eef0; --warn:#8a4b00; --warn-soft:#fdf1de; --bad:#9b1c1c; --bad-soft:#fbe9e7; --good:#1d5f3a; --good-soft:#e5f3ea; }
* { box-sizing: border-box; }
body { margin:0; background:var(--paper); color:var(--ink); font:16px/1.5 "Avenir Next", Avenir, "Segoe UI", system-ui, sans-serif; }
a { color:var(--brand); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible { outline:3px solid #d98e04; outline-offset:2px; }
.skip { position:absolute; left:-999px; } .skip:focus { left:1rem; top:1rem; background:#fff; padding:.5rem 1rem; z-index:9; }
header.top { display:flex; gap:1rem; align-items:center; justify-content:space-between; flex-wrap:wrap; background:var(--brand); color:#fff; padding:.75rem 1.5rem; }
header.top a { color:#fff; text-decoration:none; font-weight:650; }
header.top form { margin:0; } header.top .who { display:flex; gap:1rem; align-items:center; font-size:.875rem; }
.badge { display:inline-block; border-radius:1rem; padding:.05rem .65rem; font-size:.8125rem; font-weight:600; background:var(--brand-soft); color:var(--brand); white-space:nowrap; }
.badge.good { background:var(--good-soft); color:var(--good); } .badge.bad { background:var(--bad-soft); color:var(--bad); } .badge.warn { background:var(--warn-soft); color:var(--warn); }
.shell { display:grid; grid-template-columns:13rem minmax(0,1fr); gap:2rem; max-width:76rem; margin:0 auto; padding:1.5rem; }
nav ul { list-style:none; margin:0; padding:0; } nav a { display:block; padding:.4rem .75rem; border-radius:.4rem; text-decoration:none; color:var(--ink); }
nav a:hover { background:#ece7db; } nav a[aria-current] { background:var(--brand-soft); color:var(--brand); font-weight:650; }
main.alone { max-width:30rem; margin:3rem auto; padding:0 1rem; }
h1 { font-size:1.6rem; line-height:1.2; margin:0 0 .75rem; } h2 { font-size:1.1rem; margin:0 0 .5rem; }
.lead { color:var(--soft); margin:0 0 1.25rem; max-width:44rem; }
.card { background:var(--card); border:1px solid var(--rule); border-radius:.6rem; padding:1.25rem; margin:0 0 1.25rem; }
label, legend { display:block; font-weight:600; font-size:.9375rem; } fieldset { border:0; margin:0 0 1rem; padding:0; }
.field { margin:0 0 1rem; } .field small, .hint { color:var(--soft); font-weight:400; display:block; }
input[type=text], input[type=email], input[type=password], input[type=url], input[type=number], select { width:100%; max-width:32rem; font:inherit; padding:.45rem .6rem; border:1px solid #8b949b; border-radius:.35rem; background:#fff; color:inherit; }
.choice { display:flex; gap:.5rem; align-items:baseline; font-weight:400; margin:.25rem 0; }
button { margin-top:.25rem; font:inherit; font-weight:600; border:1px solid var(--brand); background:var(--brand); color:#fff; border-radius:.35rem; padding:.45rem 1rem; cursor:pointer; }
button.plain { background:#fff; color:var(--brand); } button.small { padding:.15rem .6rem; font-size:.875rem; }
.row { display:flex; flex-wrap:wrap; gap:0 .75rem; align-items:start; } .row .field { flex:1 1 12rem; }
.notice { border-radius:.5rem; padding:.75rem 1rem; margin:0 0 1.25rem; background:var(--good-soft); color:var(--good); } .notice.bad { background:var(--bad-soft); color:var(--bad); } .notice.info { background:var(--brand-soft); color:var(--brand); }
.notice ul { margin:.25rem 0 0; padding-left:1.25rem; }
.scroll { overflow-x:auto; } table { width:100%; border-collapse:collapse; font-size:.9375rem; } caption { text-align:left; font-weight:650; padding:0 0 .5rem; }
th, td { text-align:left; padding:.45rem .6rem; border-bottom:1px solid var(--rule); vertical-align:top; } thead th { color:var(--soft); font-size:.8125rem; }
td form { margin:0; } code, .mono { font-family:ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size:.875em; overflow-wrap:anywhere; }
dl { display:grid; grid-template-columns:minmax(8rem,13rem) 1fr; gap:.35rem 1rem; margin:0; } dt { color:var(--soft); } dd { margin:0; overflow-wrap:anywhere; }
ol.steps { list-style:none; margin:0; padding:0; } ol.steps li { display:flex; gap:.75rem; padding:.6rem 0; border-bottom:1px solid var(--rule); align-items:center; } ol.steps li:last-child { border:0; }
@media (max-width:46rem) { .shell { grid-template-columns:1fr; gap:1rem; padding:1rem; } nav ul { display:flex; flex-wrap:wrap; } dl { grid-template-columns:1fr; gap:0; } dd { margin-bottom:.5rem; } }
`;
