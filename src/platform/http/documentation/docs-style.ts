export const docsStyle = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5d6b7d; --line: #dfe4ea; --paper: #fff; --wash: #f5f7f9; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e8ee; --soft: #98a5b5; --line: #2c3642; --paper: #12171d; --wash: #1a2129; --link: #74b3f2; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', 'DejaVu Sans', sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover, main p a, main li a, main dd a { text-decoration: underline; }
code, pre, .address, nav b { font-family: ui-monospace, 'SF Mono', Menlo, 'Liberation Mono', 'DejaVu Sans Mono', monospace; }
code { font-size: .875em; overflow-wrap: anywhere; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; background: var(--wash);
  border-right: 1px solid var(--line); font-size: .875rem; }
nav a { display: block; padding: .15rem .5rem; color: inherit; border-radius: .25rem; overflow-wrap: anywhere; }
nav a:hover { background: var(--line); text-decoration: none; }
nav .home { font-size: 1.125rem; font-weight: 600; margin-bottom: 1rem; }
nav summary { padding: .35rem .5rem; font-weight: 600; cursor: pointer; }
nav b { display: inline-block; width: 3.6rem; font-size: .7rem; }
nav [aria-current] { font-weight: 600; }
nav .sections { padding-left: .75rem; color: var(--soft); }
nav form { margin: .5rem 0 1rem; }
input:focus-visible, select:focus-visible, textarea:focus-visible, button:focus-visible, a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.guide { line-height: 1.65; }
.guide h2 { margin-top: 2.5rem; border-top-width: 1px; }
.guide table { margin: 1rem 0; }
.guide th { text-align: left; padding: .4rem .75rem .4rem 0; font-size: .8rem; color: var(--soft); }
.guide td:first-child { width: auto; }
.guide td:first-child code { overflow-wrap: normal; }
.guide pre { font-size: .85rem; }
.guide em { font-style: italic; font-size: inherit; color: inherit; }
.found li { margin: 1rem 0; }
.found p { color: var(--soft); }
small { color: var(--soft); font-weight: 400; font-size: .8em; }
main { padding: 2.5rem clamp(1rem, 5vw, 4rem) 6rem; max-width: 62rem; }
h1, h2, h3 { overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 2.25rem; letter-spacing: -.02em; }
.lead { margin-top: .25rem; font-size: 1.2rem; color: var(--soft); }
h2 { margin: 4rem 0 .5rem; padding-top: 1.5rem; border-top: 2px solid var(--ink); font-size: 1.6rem; letter-spacing: -.01em; }
h3 { margin: 0 0 .5rem; font-size: 1.15rem; }
h3 a { color: inherit; }
h4 { margin: 1.25rem 0 .35rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
p { margin: .5rem 0; }
article { overflow-x: auto; margin: 1.25rem 0; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: .5rem; }
article:target { border-color: var(--link); }
.address { padding: .4rem .75rem; background: var(--wash); border-radius: .3rem; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; line-height: 1.75; }
td { padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 32%; }
em { font-style: normal; font-size: .75rem; color: #b3541e; }
dl { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: .4rem .75rem; margin: 0; font-size: .9rem; line-height: 1.75; }
dd { margin: 0; }
dd p { margin: 0; }
pre { margin: .5rem 0 0; padding: .9rem 1rem; overflow-x: auto; font-size: .8rem; line-height: 1.5; background: var(--wash);
  border-radius: .3rem; }
article summary { cursor: pointer; color: var(--soft); font-size: .85rem; }
input, select, textarea { width: 100%; padding: .4rem .6rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .3rem; }
textarea { font-family: ui-monospace, 'SF Mono', Menlo, 'Liberation Mono', 'DejaVu Sans Mono', monospace; font-size: .8rem; }
button { padding: .4rem .9rem; font: inherit; color: var(--paper); background: var(--link); border: 1px solid var(--link); border-radius: .3rem; cursor: pointer; }
button[type=button] { color: var(--link); background: var(--paper); }
.access { margin: 2rem 0; padding: 0 1.5rem 1.25rem; background: var(--wash); border-radius: .5rem; }
.access h2 { margin-top: 0; border: 0; }
.fields { display: grid; gap: .25rem; max-width: 40rem; font-size: .9rem; }
.fields label { margin-top: .5rem; font-weight: 600; }
.fields pre { max-height: 30rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.try { margin-top: 1rem; }
article .try > summary { font-weight: 600; color: var(--link); }
output { display: block; min-height: 1.6em; }
.GET { color: #17693a; } .POST { color: #0b5cad; } .PUT { color: #96560b; } .PATCH { color: #7a3ca6; } .DELETE { color: #b3261e; }
.s2 { color: #17693a; } .s4, .s5 { color: #b3261e; } .so { color: var(--soft); }
@media (prefers-color-scheme: dark) {
  .GET, .s2 { color: #5cc98b; } .POST { color: #74b3f2; } .PUT { color: #e5a653; } .PATCH { color: #c39aeb; }
  .DELETE, .s4, .s5 { color: #f2877f; } em { color: #e8a27c; }
}
@media (max-width: 50rem) {
  body { display: block; }
  .guide thead { display: none; }
  .guide tr, .guide td { display: block; }
  .guide tr { padding: .4rem 0; border-top: 1px solid var(--line); }
  .guide td { padding: 0; border: 0; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
}
@media print { body { display: block; } nav { display: none; } article { break-inside: avoid; } }
`
