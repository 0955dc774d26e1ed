// What the page uses of browsers that TypeScript 4.8 does not know, and what the page knows of its own elements.

interface Array<T> {
  toReversed(): T[];
  toSorted(compare?: (a: T, b: T) => number): T[];
}

interface MapConstructor {
  groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]>;
}

interface PromiseConstructor {
  withResolvers<Value>(): {
    promise: Promise<Value>;
    resolve: (value?: Value | PromiseLike<Value>) => void;
    reject: (reason?: unknown) => void;
  };
}


interface URLSearchParams {
  readonly size: number;
}

interface Element {
  checkVisibility(options?: { contentVisibilityAuto?: boolean, visibilityProperty?: boolean }): boolean;
}

// What the page looks for in its own elements is there, unless it asks with `?.`.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
