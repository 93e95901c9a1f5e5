// The training of a reader's language beside the page, which goes on answering: a message {rules, seed, steps} begins one.
"use strict";
self.window = self; // the scripts are those of the page
self.tlFlow = {};
importScripts("../../vendor/flow/refusals.js", "notation.js", "rules.js", "train.js", "../transformer.js", "ask.js", "run.js");
const thrown = (error) => setTimeout(() => { throw error; }); // where the page hears of it
self.addEventListener("message", ({ data }) => self.tlRun(data, (told) => self.postMessage(told)).catch(thrown));
