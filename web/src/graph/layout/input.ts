/** The input and the output of the layout: plain data that goes to a worker and back. */

export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** All lines from one box to another; they leave and arrive about this far below the tops of the boxes. */
export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
  readonly fromY: number;
  readonly toY: number;
}

export interface LayoutInput {
  readonly nodes: readonly LayoutNode[];
  readonly edges: readonly LayoutEdge[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line that spans several layers stays at this height from one x to the other. */
export interface Bend {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

export interface Layout {
  /** The upper left corners of the boxes. */
  readonly places: ReadonlyMap<string, Point>;
  /** By `edgeKey`, from left to right as the line goes. */
  readonly bends: ReadonlyMap<string, readonly Bend[]>;
}

export function edgeKey(from: string, to: string): string {
  return `${from}\u0000${to}`;
}
