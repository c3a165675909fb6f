// The local table's page: who you are, where you are, what you say, run, press and choose.

import { components, h, hue, markdown, messageElement, optionsOf, tick } from "/render.js";

const $ = (id) => document.getElementById(id);
const TYPES = { STRING: 3, INTEGER: 4, BOOLEAN: 5, USER: 6, CHANNEL: 7, ROLE: 8, MENTIONABLE: 9, NUMBER: 10, ATTACHMENT: 11 };

let state = null;      // the last answer of /api/state
let names = null;      // ids to names, for mentions and lists
let commands = [];     // of this person in this channel
let marks = "";        // what ``commands`` belongs to
let shown = new Map(); // message id -> its JSON, to leave unchanged messages alone

// ------------------------------------------------------------- the address

const place = () => new URLSearchParams(location.hash.slice(1));
function go(change) {
  const next = place();
  for (const [key, value] of Object.entries(change)) next.set(key, value);
  location.hash = next.toString();
}
window.addEventListener("hashchange", () => { closeCommand(); notice(""); refresh(); });

// ------------------------------------------------------------- the server

async function ask(path, body) {
  const options = body ? { method: "POST", headers: { "Content-Type": "application/json", "X-Local-Table": "1" }, body: JSON.stringify(body) } : {};
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The local table does not answer. Is it still running?");
  }
  const data = await response.json();
  if (data.error) throw new Error(data.error);
  return data;
}
const here = (fields) => ({ as: state.you, in: state.channel, ...fields });

let follow = 0; // until when new messages scroll into view: after one's own action
async function act(kind, fields, control) {
  notice("");
  follow = Date.now() + 4000;
  control?.classList.add("busy");
  if (control) control.disabled = true;
  try {
    const answer = await ask("/api/act", here({ kind, ...fields }));
    if (answer.modal) openModal(answer);
    return true;
  } catch (error) {
    notice(error.message);
    return false;
  } finally {
    control?.classList.remove("busy");
    if (control) control.disabled = false;
    refresh();
  }
}

let noticeTimer = 0;
function notice(text) {
  clearTimeout(noticeTimer);
  $("notice").textContent = text;
  $("notice").hidden = !text;
  if (text) noticeTimer = setTimeout(() => notice(""), 12000);
}

// ------------------------------------------------------------- the picture

let refreshing = null;
let again = false;
function refresh() {
  if (refreshing) { again = true; return refreshing; }
  refreshing = (async () => {
    do {
      again = false;
      await look();
    } while (again);
  })().catch((error) => notice(error.message)).finally(() => { refreshing = null; });
  return refreshing;
}

async function look() {
  const wanted = place();
  const person = state?.people.find((one) => one.name === wanted.get("as"))?.id || "";
  const first = state === null && wanted.get("as");
  const query = (as) => "/api/state?" + new URLSearchParams({ as, in: wanted.get("in") || "" });
  let next = await ask(query(person));
  if (first) {
    const found = next.people.find((one) => one.name === wanted.get("as"));
    if (found && found.id !== next.you) next = await ask(query(found.id));
  }
  const moved = !state || state.you !== next.you || state.channel !== next.channel;
  state = next;
  names = { ...state.names, you: state.you, people: Object.fromEntries([...state.people.map((one) => [one.id, one.name]), [state.bot.id, state.bot.name]]) };
  const mark = [state.you, state.channel, state.commands].join();
  if (mark !== marks) {
    commands = (await ask("/api/commands?" + new URLSearchParams({ as: state.you, in: state.channel }))).commands;
    marks = mark;
  }
  drawPeople();
  drawChannels();
  drawMessages(moved);
}

function drawPeople() {
  const you = state.people.find((one) => one.id === state.you);
  $("guild").textContent = state.guild;
  $("people").replaceChildren(...state.people.map((one) => {
    if (one.id === state.you) localStorage.setItem("ping/" + one.id, one.pinged);
    const pinged = BigInt(one.pinged) > BigInt(localStorage.getItem("ping/" + one.id) || 0);
    const chip = h("button", { type: "button", class: pinged ? "person pinged" : "person", "data-person": one.name, "aria-pressed": String(one.id === state.you), title: pinged ? one.name + " was called" : one.owner ? one.name + " owns the server" : one.name, onclick: () => go({ as: one.name, in: state.channel }) },
      h("span", { class: "avatar small", "aria-hidden": "true" }, one.name[0].toUpperCase()), one.name);
    chip.firstChild.style.setProperty("--hue", hue(one.id));
    return chip;
  }));
  document.title = `${you.name} · ${state.guild}`;
  $("say").placeholder = `Message as ${you.name}, or /`;
}

const seenKey = (channel) => `seen/${state.you}/${channel}`;
function drawChannels() {
  $("channels").replaceChildren(...state.channels.map((one) => {
    const current = one.id === state.channel;
    if (current) localStorage.setItem(seenKey(one.id), one.last);
    const unread = BigInt(one.last) > BigInt(localStorage.getItem(seenKey(one.id)) || 0);
    const sign = { channel: "#", thread: "↳", direct: "@" }[one.kind];
    return h("button", { type: "button", class: `channel ${one.kind}${unread ? " unread" : ""}`, "data-channel": one.name, "aria-current": current ? "page" : null, onclick: () => go({ in: one.id, as: state.people.find((p) => p.id === state.you).name }) },
      h("span", { "aria-hidden": "true" }, sign), h("span", { class: "name" }, one.name));
  }));
}

function drawMessages(moved) {
  const box = $("messages");
  const atEnd = moved || Date.now() < follow || box.scrollHeight - box.scrollTop - box.clientHeight < 160;
  if (moved) { box.replaceChildren(); shown = new Map(); }
  const present = new Map([...box.querySelectorAll("article")].map((element) => [element.dataset.id, element]));
  const context = JSON.stringify(state.names);
  let before = null;
  const kept = new Map();
  for (const message of state.messages) {
    const text = JSON.stringify(message);
    const key = text + (/<[@#]/.test(text) ? context : "");
    let element = present.get(message.id);
    if (!element || shown.get(message.id) !== key) {
      const made = messageElement(message, names, (kind, fields, control) => act(kind, { message: message.id, ...fields }, control));
      if (element) element.replaceWith(made);
      element = made;
    }
    const place = before ? before.nextSibling : box.firstChild;
    if (place !== element) box.insertBefore(element, place);
    before = element;
    kept.set(message.id, key);
    present.delete(message.id);
  }
  for (const element of present.values()) element.remove();
  box.querySelector(".empty")?.remove();
  if (!state.messages.length) box.append(h("p", { class: "empty" }, "Nothing here yet. Type / to see what the bot can do."));
  shown = kept;
  if (atEnd) {
    const end = () => { box.scrollTop = box.scrollHeight; };
    end();
    for (const image of box.querySelectorAll("img")) if (!image.complete) image.addEventListener("load", end, { once: true });
  }
}

// ------------------------------------------------------------- commands

let highlighted = 0;
function offered() {
  const typed = $("say").value.slice(1).toLowerCase().trim();
  const starts = commands.filter((one) => one.name.startsWith(typed));
  const rest = commands.filter((one) => !one.name.startsWith(typed) && typed && (one.name + " " + one.description).toLowerCase().includes(typed));
  return [...starts, ...rest];
}

function drawPicker() {
  const typed = $("say").value;
  const list = typed.startsWith("/") && $("command").hidden ? offered() : [];
  const exact = commands.some((one) => typed.startsWith(`/${one.name} `) && typed.length > one.name.length + 2);
  $("picker").hidden = !typed.startsWith("/") || exact || !$("command").hidden;
  if ($("picker").hidden) return;
  highlighted = Math.min(highlighted, Math.max(0, list.length - 1));
  $("picker").replaceChildren(...list.map((one, index) =>
    h("button", { type: "button", role: "option", class: "option", "data-command": one.name, "aria-selected": String(index === highlighted), onclick: () => openCommand(one) },
      h("span", {}, "/" + one.name, ...one.options.filter((option) => option.required).map((option) => h("i", {}, option.name))), h("small", {}, one.description))),
    ...(list.length ? [] : [h("p", { class: "empty" }, "No such command.")]));
  $("picker").children[highlighted]?.scrollIntoView({ block: "nearest" });
}

/** "/unit move unit:alpha to:G7" -> the command and its options, or null. */
function parse(text) {
  const typed = text.slice(1);
  const command = commands.filter((one) => typed === one.name || typed.startsWith(one.name + " ")).sort((a, b) => b.name.length - a.name.length)[0];
  if (!command) return null;
  const values = {};
  const pattern = new RegExp(`(?:^|\\s)(${command.options.map((one) => one.name).join("|") || "(?!)"}):\\s*`, "gu");
  const rest = typed.slice(command.name.length);
  const found = [...rest.matchAll(pattern)];
  found.forEach((match, index) => {
    const end = index + 1 < found.length ? found[index + 1].index : rest.length;
    values[match[1]] = rest.slice(match.index + match[0].length, end).trim();
  });
  for (const option of command.options) {
    if (!(option.name in values)) continue;
    const typedValue = values[option.name].replace(/^[@#]/, "").toLowerCase();
    const listed = choicesOf(option).find((one) => one.label.replace(/^[@#]/, "").toLowerCase() === typedValue);
    if (listed) values[option.name] = listed.value;
  }
  return { command, values };
}

function choicesOf(option) {
  if (option.autocomplete) return [];
  if (option.choices?.length) return option.choices.map((one) => ({ label: one.name, value: String(one.value) }));
  if (option.type === TYPES.BOOLEAN) return [{ label: "Yes", value: "true" }, { label: "No", value: "false" }];
  const kind = { [TYPES.USER]: 5, [TYPES.ROLE]: 6, [TYPES.MENTIONABLE]: 7, [TYPES.CHANNEL]: 8 }[option.type];
  return kind ? optionsOf({ type: kind }, names) : [];
}

function closeCommand() {
  $("command").hidden = true;
  $("command").replaceChildren();
  $("chat").hidden = false;
  $("say").value = "";
  $("picker").hidden = true;
}

function openCommand(command, values = {}) {
  if (!command.options.length) { run(command, {}); return; }
  $("picker").hidden = true;
  $("chat").hidden = true;
  const form = $("command");
  form.hidden = false;
  const fields = h("div", { class: "fields" });
  const more = h("p", { class: "more" });
  const filled = () => Object.fromEntries([...fields.querySelectorAll("[data-option]")].filter((one) => one.type !== "file").map((one) => [one.dataset.option, one.dataset.value ?? one.value]).filter(([, value]) => value !== ""));
  const add = (option) => {
    const field = optionField(command, option, filled, values[option.name]);
    fields.append(field);
    return field.querySelector("[data-option]");
  };
  for (const option of command.options) {
    if (option.required || option.name in values) { add(option); continue; }
    const chip = h("button", { type: "button", class: "chip", title: option.description, "data-add": option.name, onclick: () => { chip.remove(); add(option).focus(); } }, "+ " + option.name);
    more.append(chip);
  }
  form.onsubmit = async (event) => {
    event.preventDefault();
    const options = filled();
    for (const input of fields.querySelectorAll('input[type="file"]')) {
      if (input.files[0]) options[input.dataset.option] = await upload(input.files[0]);
    }
    run(command, options);
  };
  form.replaceChildren(
    h("header", {}, h("b", {}, "/" + command.name), h("span", {}, command.description)), fields, more,
    h("footer", {}, h("button", { type: "submit", class: "button primary", id: "run" }, "Run"), h("button", { type: "button", class: "button secondary", id: "cancel", onclick: () => { closeCommand(); $("say").focus(); } }, "Cancel")));
  const first = [...fields.querySelectorAll("[data-option]")].find((one) => !one.value);
  (first || $("run")).focus();
}

async function run(command, options) {
  const form = $("command");
  const button = form.hidden ? $("send") : $("run");
  const typed = $("say").value;
  const done = await act("slash", { command: command.name, options }, button);
  if (done && $("say").value === typed) closeCommand(); // else somebody is typing the next line
}

function optionField(command, option, filled, value) {
  const id = "option-" + option.name;
  const listed = choicesOf(option);
  const attributes = { id, "data-option": option.name, required: option.required, autocomplete: "off", spellcheck: "false" };
  let control;
  let list = null;
  if (listed.length) {
    control = h("select", attributes, h("option", { value: "" }, "Choose"), ...listed.map((one) => h("option", { value: one.value }, one.label)));
  } else if (option.type === TYPES.ATTACHMENT) {
    control = h("input", { ...attributes, type: "file" });
  } else {
    control = h("input", { ...attributes, inputmode: [TYPES.INTEGER, TYPES.NUMBER].includes(option.type) ? "decimal" : null, maxlength: option.max_length });
  }
  if (value !== undefined && option.type !== TYPES.ATTACHMENT) control.value = value;
  if (option.autocomplete) {
    list = h("div", { class: "options", role: "listbox", hidden: true });
    suggest(command, option, control, list, filled);
  }
  return h("div", { class: "field" }, h("label", { for: id }, option.name, option.required ? null : h("small", {}, "optional")), control, list, h("small", {}, option.description));
}

function suggest(command, option, input, list, filled) {
  let timer = 0;
  let turn = 0;
  const choose = (choice) => { clearTimeout(timer); turn++; input.value = choice.name; input.dataset.value = String(choice.value); list.hidden = true; input.focus(); };
  const load = async () => {
    const mine = ++turn;
    let answer;
    try {
      answer = await ask("/api/suggest", here({ command: command.name, option: option.name, value: input.value, filled: filled() }));
    } catch (error) {
      notice(error.message);
      return;
    }
    if (mine !== turn || document.activeElement !== input) return;
    list.hidden = !answer.choices.length;
    list.replaceChildren(...answer.choices.map((choice) =>
      h("button", { type: "button", role: "option", class: "option", tabindex: "-1", "data-value": choice.value, "aria-selected": "false", onmousedown: (event) => event.preventDefault(), onclick: () => choose(choice) }, choice.name)));
  };
  input.addEventListener("input", () => { delete input.dataset.value; clearTimeout(timer); timer = setTimeout(load, 120); });
  input.addEventListener("focus", load);
  input.addEventListener("blur", () => { turn++; list.hidden = true; });
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const rows = [...list.children];
    const at = rows.findIndex((row) => row.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = (at + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length;
      rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === next)));
      rows[next].scrollIntoView({ block: "nearest" });
    } else if ((event.key === "Enter" || event.key === "Tab") && at >= 0) {
      if (event.key === "Enter") event.preventDefault();
      rows[at].click();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      list.hidden = true;
    }
  });
}

async function upload(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let index = 0; index < bytes.length; index += 32768) text += String.fromCharCode(...bytes.subarray(index, index + 32768));
  return { name: file.name, data: btoa(text) };
}

$("say").addEventListener("input", () => { highlighted = 0; drawPicker(); });
$("say").addEventListener("keydown", (event) => {
  if ($("picker").hidden) return;
  const list = offered();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    highlighted = (highlighted + (event.key === "ArrowDown" ? 1 : -1) + list.length) % Math.max(1, list.length);
    drawPicker();
  } else if (event.key === "Tab" && list[highlighted]) {
    event.preventDefault();
    openCommand(list[highlighted]);
  } else if (event.key === "Escape") {
    closeCommand();
  }
});
$("command").addEventListener("keydown", (event) => { if (event.key === "Escape") { closeCommand(); $("say").focus(); } });
$("slash").addEventListener("click", () => {
  $("say").value = $("picker").hidden ? "/" : "";
  highlighted = 0;
  drawPicker();
  $("say").focus();
});
$("chat").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = $("say").value.trim();
  if (!text) return;
  if (text.startsWith("/")) {
    const parsed = parse(text);
    const picked = offered()[highlighted];
    if (!parsed && picked) openCommand(picked);
    else if (!parsed) notice("There is no such command here. Type / to see them all.");
    else if (parsed.command.options.some((one) => one.required && !parsed.values[one.name])) openCommand(parsed.command, parsed.values);
    else run(parsed.command, parsed.values);
    return;
  }
  if (await act("say", { text }, $("send")) && $("say").value.trim() === text) $("say").value = "";
  $("say").focus();
});

// ------------------------------------------------------------- forms (modals)

function openModal({ modal, shown: id }) {
  const dialog = $("modal");
  const readers = [];
  const rows = modal.components.flatMap((item) => modalRow(item, readers));
  const form = h("form", { method: "dialog" }, h("h2", {}, modal.title), ...rows,
    h("p", { class: "fault", role: "alert", hidden: true }),
    h("footer", {}, h("button", { type: "submit", class: "button primary", id: "submit" }, "Submit"), h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = {};
    for (const [key, read] of readers) {
      const value = await read();
      if (value !== undefined) values[key] = value;
    }
    try {
      follow = Date.now() + 4000;
      const answer = await ask("/api/act", here({ kind: "modal", shown: id, values }));
      dialog.close();
      if (answer.modal) openModal(answer);
    } catch (error) {
      const fault = form.querySelector(".fault");
      fault.textContent = error.message;
      fault.hidden = false;
    }
    refresh();
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  form.querySelector("input, textarea, select")?.focus();
}

function modalRow(item, readers) {
  if (item.type === 10) { const text = h("div", { class: "text" }); text.append(markdown(item.content, names)); return [text]; }
  if (item.type === 1) return item.components.map((child) => modalField(child, child.label || "", "", readers));
  if (item.type === 18) return [modalField(item.component, item.label, item.description, readers)];
  return components([item], names, () => {});
}

function modalField(item, label, description, readers) {
  const id = "field-" + item.custom_id;
  const required = item.required !== false;
  let control;
  if (item.type === 4) {
    const attributes = { id, "data-field": item.custom_id, required, placeholder: item.placeholder, minlength: item.min_length, maxlength: item.max_length, autocomplete: "off", spellcheck: "false" };
    control = item.style === 2 ? h("textarea", { ...attributes, rows: 5 }) : h("input", attributes);
    control.value = item.value || "";
    readers.push([item.custom_id, () => control.value]);
  } else if (item.type === 19) {
    control = h("input", { type: "file", id, "data-field": item.custom_id, required, multiple: (item.max_values ?? 1) > 1 });
    readers.push([item.custom_id, () => (control.files.length ? Promise.all([...control.files].map(upload)) : undefined)]);
  } else if (item.type === 23) {
    control = h("input", { type: "checkbox", id, "data-field": item.custom_id });
    control.checked = Boolean(item.default);
    readers.push([item.custom_id, () => control.checked]);
  } else {
    const options = optionsOf(item, names);
    const many = item.type === 22 || (item.type !== 21 && (item.max_values ?? 1) > 1);
    control = h("div", { class: "checks", "data-field": item.custom_id }, ...options.map((one) => h("label", {},
      h("input", { type: many ? "checkbox" : "radio", name: id, value: one.value, checked: one.default, required: !many && required }), h("span", {}, one.label, one.description ? h("small", {}, one.description) : null))));
    const chosen = () => [...control.querySelectorAll("input:checked")].map((one) => one.value);
    readers.push([item.custom_id, () => (item.type === 21 ? chosen()[0] : chosen())]);
  }
  return h("div", { class: "field" }, h("label", { for: id }, label, required ? null : h("small", {}, "optional")), control, description ? h("small", {}, description) : null);
}

// ------------------------------------------------------------- keeping up

document.addEventListener("click", (event) => {
  for (const list of document.querySelectorAll(".chooser > .options:not([hidden])")) {
    if (!list.parentElement.contains(event.target)) { list.hidden = true; list.previousSibling.setAttribute("aria-expanded", "false"); }
  }
});
$("picture").addEventListener("click", (event) => { if (event.target === $("picture")) $("picture").close(); });
setInterval(tick, 1000);

const changes = new EventSource("/api/changes");
changes.onmessage = () => { if ($("notice").dataset.lost) { delete $("notice").dataset.lost; notice(""); } refresh(); };
changes.onerror = () => { notice("The local table does not answer. Start it again; this page finds it by itself."); $("notice").dataset.lost = "1"; clearTimeout(noticeTimer); };
await refresh();
document.body.dataset.ready = "1";
