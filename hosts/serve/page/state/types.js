// What the club sends. Nothing here knows a ruleset: names of states, tracks and kinds are data.

/**
 * @typedef {{sign: string, means: string, tone: "plain"|"good"|"bad"}} Badge
 * @typedef {{at: string, text: string, large?: boolean}} Slot
 * @typedef {{outline: "counter"|"block"|"leader"|"marker", colour: string, corners: "square"|"cut"|"round", symbol: string,
 *   slots?: Slot[], pips?: {now: number, of: number}, badges?: Badge[], facing?: number, spans?: string, back?: boolean,
 *   pale?: boolean}} Face
 * @typedef {{name: string, side: string, kind: string, ratings: string, state: Record<string, string>, face: Face,
 *   hex?: string, box?: string}} Unit
 * @typedef {{id: string, text: string, touch: string[], cost?: string, left?: string, path?: string[],
 *   odds?: boolean}} Option
 * @typedef {{side: string, question: string, prompt: string, rule: string, options: Option[], mine: boolean,
 *   subject?: string, undo_to?: number}} Decision
 * @typedef {{name: string, value: number, max: number|null}} Track
 * @typedef {{hex: string, kind: string, text: string}} Mark
 * @typedef {{name: string, side: string|null, count: number, known: string[]}} Holding
 * @typedef {{index: number, label: string, start: string, end: string, light: string}} Turn
 * @typedef {{winner: string|null, how: string, rule: string}} Verdict
 * @typedef {{turn: Turn, phase: string, active: string|null, units: Record<string, Unit>, hidden: Unit[], tracks: Track[],
 *   marks: Mark[], holdings: Holding[], decision: Decision|null, verdict: Verdict|null}} Frame
 * @typedef {{kind: string, rule: string, text: string, units: string[], hexes: string[], step?: number, side?: string, turn?: string,
 *   dice?: {purpose: string, sides: number, value: number}[], modifiers?: {label: string, value: number, rule: string}[],
 *   sum?: number}} Happening
 * @typedef {{step: number, side: string, change: Partial<Frame>, events: Happening[], ply?: number, undo?: boolean}} Step
 * @typedef {{id: string, who: string, mine: boolean, formations: string[]}} Commander
 * @typedef {{side: string, name: string, who: string, open: boolean, bot: boolean, mine: boolean, leads: boolean,
 *   commanders: Commander[]}} Seat
 * @typedef {{what: string, name: string, live: boolean, lost: string|null, waiting: number, saves?: number, changed?: import("../help/differences.js").Told[], more?: number,
 *   wrong?: string|null, verdict?: string|null}} Follows
 * @typedef {{id: string, title: string, look: string, bent: boolean, follows: Follows|null, seats: Seat[], aids: {odds: boolean, reach: boolean, sight: boolean}, watched: boolean,
 *   host: boolean, over: boolean, closed: string|null,
 *   draw: {pledges: string[][], mine: string[]}|null, paused: boolean, days: number|null, due: number|null, rematch: string|null,
 *   umpire: {who: string, mine: boolean}|null, may_umpire: boolean,
 *   take_back: {side: string, step: number}|null}} TableInfo
 * @typedef {{id: string, name: string, colour: string, corners: string}} SideLook
 * @typedef {{picture: string, tile: number, width: number, height: number, hex: number, flat: boolean, corners: number[][],
 *   zooms: {columns: number, rows: number}[], names: {text: string, kind: string, x: number, y: number, zoom: number}[],
 *   attribution: string|null,
 *   labels: string[], x: number[], y: number[], cover: number[], covers: string[], level: number[],
 *   places: {name: string, hex: string}[]}} MapLook
 * @typedef {{name: string, side: number, kind: string, men: number, guns: number, node: string|null}} UnitLook
 * @typedef {{id: string, of: string, name: string, commander: string, men: number}} NodeLook
 * @typedef {{title: string, rule: string, head: string[], rows: string[][], note: string}} Chart
 * @typedef {{name: string, kind: string, text: string, rule: string}} Term
 * @typedef {{ruleset: string, title: string, scenario: string, sides: SideLook[], map: MapLook,
 *   turns: {label: string, start: string, end: string, light: string}[], first_turn: number, units: Record<string, UnitLook>, tree: NodeLook[],
 *   tracks: {name: string, title: string, about: string, side: string|null}[],
 *   holdings: {name: string, title: string, about: string}[],
 *   marks: {kind: string, title: string, sign: string, tone: string}[],
 *   boards: {title: string, tracks: string[], holdings: string[]}[], phases: Record<string, string>,
 *   states: Record<string, string>, badges: string[][], ways: Record<string, number>, charts: Chart[], terms: Term[], chapter: string|null, sections: string|null}} Look
 */
export {};
