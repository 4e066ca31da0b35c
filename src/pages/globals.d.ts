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

interface HeadersProps {
  /** By name: a map of Immutable.js. */
  readonly headers: { readonly size: number } | null;
}

/** Keys from the root of the document: a list of Immutable.js. */
interface SpecPath {
  toJS(): string[];
}

interface ExampleProps {
  readonly specPath: SpecPath;
}

type ReactElement = { readonly type: unknown };
type Component<Props> = (props: Props) => ReactElement | null;

interface React {
  createElement<Props>(component: Component<Props>, props: Props): ReactElement;
  createElement(
    tag: string,
    attributes: Record<string, string>,
    ...children: (string | ReactElement)[]
  ): ReactElement;
}

type Wrap<Props> = (component: Component<Props>, system: { readonly React: React }) => Component<Props>;

type GenerateSnippet = (request: unknown) => string;

interface LayoutProps {
  /** A part of the page by its name, which takes what it needs from the state. */
  getComponent(name: string, isContainer: true): Component<object>;
  readonly specSelectors: { loadingStatus(): string };
}

interface FieldProps {
  getComponent(name: 'JsonSchema_string'): Component<FieldProps>;
}

/** What operations share, by kind and name. */
type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface System {
  readonly React: React;
  getSystem(): {
    readonly specSelectors: { specJson(): { toJS(): { readonly components: Components } } };
  };
  readonly fn: Record<`requestSnippetGenerator_curl_${'bash' | 'cmd' | 'powershell'}`, GenerateSnippet>;
}

interface SwaggerUiPlugin {
  afterLoad?(system: System): void;
  readonly fn?: { opsFilter(tagged: TaggedOperations, phrase: string): TaggedOperations };
  readonly components?: {
    readonly JsonSchema_string_binary?: Component<FieldProps>;
    readonly ReferenceLayout?: Component<LayoutProps>;
  };
  readonly wrapComponents?: {
    readonly operations?: Wrap<OperationsProps>;
    readonly DeepLink?: Wrap<{ readonly text: string }>;
    readonly headers?: Wrap<HeadersProps>;
    readonly modelExample?: Wrap<ExampleProps>;
  };
}

declare function SwaggerUIBundle(options: {
  readonly plugins: readonly ((system: System) => SwaggerUiPlugin)[];
  readonly onComplete: () => void;
  readonly [option: string]: unknown;
}): void;
