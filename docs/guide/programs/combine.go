package main

import (
	"bytes"
	cryptorand "crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	attempts          = 8
	base              = 500 * time.Millisecond
	longest           = 30 * time.Second
	longestRetryAfter = 120 * time.Second
	timeout           = 180 * time.Second
)

var client = &http.Client{Timeout: timeout}

func main() {
	if len(os.Args) < 3 {
		exitOn(fmt.Errorf("usage: combine WHOLE.pdf ONE.docx TWO.docx …"))
	}
	output := os.Args[1]
	contentType, body, err := form(os.Args[2:])
	exitOn(err)
	// One for the documents, the same in every attempt: however often they are sent, they are billed once.
	idempotencyKey := make([]byte, 16)
	_, err = cryptorand.Read(idempotencyKey)
	exitOn(err)
	random := rand.New(rand.NewSource(time.Now().UnixNano()))

	for attempt := 0; ; attempt++ {
		pdf, problem, retry, retryAfter := convert(contentType, body, hex.EncodeToString(idempotencyKey))
		if pdf != nil {
			exitOn(os.WriteFile(output, pdf, 0o644))
			return
		}
		fmt.Fprintf(os.Stderr, "attempt %d: %s\n", attempt+1, problem)
		if !retry || attempt+1 == attempts || retryAfter > longestRetryAfter {
			os.Exit(1)
		}
		// Full jitter, on top of what the service asked for.
		ceiling := base << attempt
		if ceiling > longest {
			ceiling = longest
		}
		time.Sleep(retryAfter + time.Duration(random.Int63n(int64(ceiling)+1)))
	}
}

// form returns the documents as the form's parts "file": the content type and the body.
func form(paths []string) (string, []byte, error) {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for _, path := range paths {
		document, err := os.ReadFile(path)
		if err != nil {
			return "", nil, err
		}
		part, err := writer.CreateFormFile("file", filepath.Base(path))
		if err != nil {
			return "", nil, err
		}
		part.Write(document) // a bytes.Buffer never fails
	}
	writer.Close()
	return writer.FormDataContentType(), body.Bytes(), nil
}

// convert is one attempt: the PDF, or what went wrong, whether another attempt is worth it, and after how long.
func convert(contentType string, body []byte, idempotencyKey string) (
	pdf []byte, problem string, retry bool, retryAfter time.Duration,
) {
	request, err := http.NewRequest("POST", os.Getenv("PLATEN_URL")+"/v1/combine", bytes.NewReader(body))
	exitOn(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PLATEN_API_KEY"))
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Idempotency-Key", idempotencyKey)
	response, err := client.Do(request)
	if err != nil { // no answer
		return nil, err.Error(), true, 0
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil { // half of one
		return nil, err.Error(), true, 0
	}
	switch response.StatusCode {
	case 200:
		return answer, "", false, 0
	case 408, 409, 429, 502, 503, 504:
		retry = true
	default:
		retry = strings.Contains(string(answer), `"INTERNAL_ERROR"`)
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 when there is none
	return nil, fmt.Sprintf("%d %s", response.StatusCode, answer), retry, time.Duration(seconds) * time.Second
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
