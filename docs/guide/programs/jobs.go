package main

import (
	"bytes"
	cryptorand "crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	attempts = 8
	poll     = 2 * time.Second
	timeout  = 180 * time.Second
)

var client = &http.Client{Timeout: timeout}

type job struct {
	ID, State string
	Files     []struct {
		Name  string
		Error *struct{ Code, Message string }
	}
}

func main() {
	contentType, body, err := form(os.Args[2:])
	exitOn(err)
	// The same in every attempt: however often it is sent, it is one job.
	idempotencyKey := make([]byte, 16)
	_, err = cryptorand.Read(idempotencyKey)
	exitOn(err)
	headers := map[string]string{"Content-Type": contentType, "Idempotency-Key": hex.EncodeToString(idempotencyKey)}
	sent := read(call("POST", "/v1/jobs", body, headers))
	for sent.State == "queued" || sent.State == "running" {
		time.Sleep(poll)
		sent = read(call("GET", "/v1/jobs/"+sent.ID, nil, nil))
	}
	archive := call("GET", "/v1/jobs/"+sent.ID+"/archive", nil, nil)
	exitOn(os.WriteFile(os.Args[1], archive, 0o644))
	code := 0
	for _, file := range sent.Files {
		if file.Error != nil {
			fmt.Fprintf(os.Stderr, "%s: %s %s\n", file.Name, file.Error.Code, file.Error.Message)
			code = 1
		}
	}
	os.Exit(code)
}

// call returns the body of the answer, after as many attempts as it takes.
func call(method, path string, body []byte, headers map[string]string) []byte {
	for attempt := 0; ; attempt++ {
		answer, problem, retry, retryAfter := try(method, path, body, headers)
		if problem == "" {
			return answer
		}
		fmt.Fprintf(os.Stderr, "%s %s, attempt %d: %s\n", method, path, attempt+1, problem)
		if !retry || attempt+1 == attempts {
			os.Exit(1)
		}
		ceiling := 500 * time.Millisecond << attempt
		if ceiling > 30*time.Second {
			ceiling = 30 * time.Second
		}
		time.Sleep(retryAfter + time.Duration(rand.Int63n(int64(ceiling)+1)))
	}
}

// try is one attempt: the body, or what went wrong, whether another attempt is worth it, and after how long.
func try(method, path string, body []byte, headers map[string]string) ([]byte, string, bool, time.Duration) {
	request, err := http.NewRequest(method, os.Getenv("PLATEN_URL")+path, bytes.NewReader(body))
	exitOn(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PLATEN_API_KEY"))
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil { // no answer
		return nil, err.Error(), true, 0
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil { // half of one
		return nil, err.Error(), true, 0
	}
	if response.StatusCode < 300 {
		return answer, "", false, 0
	}
	retry := false
	for _, status := range []int{408, 409, 429, 500, 502, 503, 504} {
		retry = retry || response.StatusCode == status
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 when there is none
	return nil, fmt.Sprintf("%d %s", response.StatusCode, answer), retry, time.Duration(seconds) * time.Second
}

// form returns the documents as parts "file" of a form: the content type and the body.
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

func read(body []byte) (answer job) {
	exitOn(json.Unmarshal(body, &answer))
	return
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
