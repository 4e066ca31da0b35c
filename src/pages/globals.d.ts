/** The part of Swagger UI that the reference uses. */

interface Operation {
  toJS(): unknown;
}

interface Operations {
  filter(keep: (operation: Operation) => boolean): Operations;
  readonly size: number;
}

interface TaggedOperation {
  get(name: 'operations'): Operations;
  set(name: 'operations', operations: Operations): TaggedOperation;
}

/** Operations by tag: a map of Immutable.js. */
interface TaggedOperations {
  map(change: (tagged: TaggedOperation, tag: string) => TaggedOperation): TaggedOperations;
  filter(keep: (tagged: TaggedOperation) => boolean): TaggedOperations;
  readonly size: number;
}

interface OperationsProps {
  readonly layoutSelectors: { currentFilter(): string | boolean | null };
  readonly specSelectors: { taggedOperations(): TaggedOperations };
}

type OperationsComponent = (props: OperationsProps) => ReactElement;
type ReactElement = { readonly type: unknown };

interface React {
  createElement(component: OperationsComponent, props: OperationsProps): ReactElement;
  createElement(tag: string, attributes: Record<string, string>, text: string): ReactElement;
}

interface SwaggerUiPlugin {
  readonly fn: { opsFilter(tagged: TaggedOperations, phrase: string): TaggedOperations };
  readonly wrapComponents: {
    operations(component: OperationsComponent, system: { readonly React: React }): OperationsComponent;
  };
}

declare function SwaggerUIBundle(options: {
  readonly plugins: readonly (() => SwaggerUiPlugin)[];
  readonly onComplete: () => void;
  readonly [option: string]: unknown;
}): void;
